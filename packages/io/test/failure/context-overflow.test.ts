import { describe, expect, it } from "vitest";
import { contextOverflowOf } from "../../src/failure/context-overflow.js";

describe("a context that did not fit", () => {
  it.each([
    {
      text: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      window: 8192,
      needed: 9000,
    },
    {
      text: "This endpoint's maximum context length is 131,072 tokens. However, you requested about 140,001 tokens",
      window: 131_072,
      needed: 140_001,
    },
    { text: "prompt is too long: 208310 tokens > 200000 maximum", window: 200_000, needed: 208_310 },
    {
      text: "the request exceeds the available context size. try increasing the context size",
      window: undefined,
      needed: undefined,
    },
    {
      text: "the prompt is longer than the context length currently available to the model",
      window: undefined,
      needed: undefined,
    },
    { text: "input exceeds the context window of this model", window: undefined, needed: undefined },
  ])("is seen in: $text", ({ text, window, needed }) => {
    const overflow = contextOverflowOf(text);
    expect(overflow).toEqual({ ...(window && { window }), ...(needed && { needed }) });
  });

  it("is seen by its code", () => {
    expect(contextOverflowOf("no", "context_length_exceeded")).toEqual({});
  });

  it.each(["model not found", "max_tokens is too large: 99999", "rate limit of 30000 tokens reached", ""])(
    "is not seen in: %s",
    (text) => {
      expect(contextOverflowOf(text)).toBeUndefined();
    },
  );
});
