import { describe, expect, it } from "vitest";
import { readErrorBody } from "../../src/failure/error-body.js";

describe("what an error body says", () => {
  it.each([
    {
      why: "OpenAI's form",
      text: '{"error":{"message":"no","code":"c","type":"t"}}',
      message: "no",
      code: "c",
    },
    {
      why: "a type where there is no code",
      text: '{"error":{"message":"no","code":null,"type":"t"}}',
      message: "no",
      code: "t",
    },
    {
      why: "Ollama's form",
      text: '{"error":"model not found"}',
      message: "model not found",
      code: undefined,
    },
    { why: "a message alone", text: '{"message":"no","code":7}', message: "no", code: "7" },
    {
      why: "FastAPI's list",
      text: '{"detail":[{"msg":"field required","loc":["a"]}]}',
      message: "field required",
      code: undefined,
    },
    {
      why: "Google's list",
      text: '[{"error":{"message":"no","status":"RESOURCE_EXHAUSTED"}}]',
      message: "no",
      code: "RESOURCE_EXHAUSTED",
    },
    { why: "JSON of another shape", text: '{"oops":1}', message: '{"oops":1}', code: undefined },
    { why: "plain text", text: "  bad\n\ngateway ", message: "bad gateway", code: undefined },
    {
      why: "an HTML page by its title",
      text: "<!DOCTYPE html><html><head><title>502\nBad Gateway</title></head><body>secret</body></html>",
      message: 'an HTML page titled "502 Bad Gateway"',
      code: undefined,
    },
    {
      why: "an HTML page without a title",
      text: "<html><body>x</body></html>",
      message: "an HTML page",
      code: undefined,
    },
    { why: "nothing", text: " \n", message: undefined, code: undefined },
  ])("reads $why", ({ text, message, code }) => {
    expect(readErrorBody(text)).toMatchObject({ message, code });
  });

  it("keeps a long text short", () => {
    const { message } = readErrorBody("x".repeat(10_000));
    expect(message?.length).toBeLessThan(700);
  });
});
