// biome-ignore-all lint/complexity/noStaticOnlyClass: a provider is a class; a wire completes its instances
import { defineProvider } from "@ashlar/context/provider";
import { connect, IO, OpenAIChat } from "@ashlar/io";
import { describe, expect, it } from "vitest";

const metadata = { label: "My Box!", capabilities: { streaming: true, thinking: [], tools: false } };
const Homeless = defineProvider(
  class Homeless {
    static readonly contract = 1;
    static readonly provider = metadata;
  },
);
const Settled = defineProvider(
  class Settled {
    static readonly contract = 1;
    static readonly provider = metadata;
    static readonly knownEndpoints = [
      { name: "box", label: "Box", url: "http://127.0.0.1:1/v1" },
      { name: "other", label: "Other", url: "http://127.0.0.1:2/v1" },
    ];
  },
);

describe("connecting without an Env", () => {
  it("takes url and name from the first endpoint that the provider knows", () => {
    expect(connect(Settled, { model: " m " })).toMatchObject({
      endpoint: "box",
      model: "m",
      url: "http://127.0.0.1:1/v1",
      settings: {},
      info: {},
    });
  });

  it.each([
    { why: "a known one by its url", options: { url: "http://127.0.0.1:2/v1" }, endpoint: "other" },
    {
      why: "another server by the provider's label",
      options: { url: "http://10.0.0.1/v1" },
      endpoint: "my-box",
    },
    {
      why: "any server by the name it is given",
      options: { url: "http://10.0.0.1/v1", endpoint: "rack" },
      endpoint: "rack",
    },
  ])("names $why", ({ options, endpoint }) => {
    expect(connect(Settled, { model: "m", ...options }).endpoint).toBe(endpoint);
  });

  it("takes a text for an API key and a record as it is", () => {
    expect(connect(Settled, { model: "m", auth: " key " }).auth()).toEqual({ type: "api_key", token: "key" });
    const record = { type: "bearer", token: "t" } as const;
    expect(connect(Settled, { model: "m", auth: record }).auth()).toBe(record);
    expect(connect(Settled, { model: "m" }).auth()).toBeUndefined();
  });

  it.each([
    { why: "no model", run: () => connect(Settled, { model: "" }), argument: "model" },
    { why: "no url where none is known", run: () => connect(Homeless, { model: "m" }), argument: "url" },
    {
      why: "a url that is none",
      run: () => connect(Homeless, { model: "m", url: "my box" }),
      argument: "url",
    },
    {
      why: "a host without a scheme",
      run: () => connect(Homeless, { model: "m", url: "localhost:11434" }),
      argument: "url",
    },
    { why: "an empty key", run: () => connect(Settled, { model: "m", auth: " " }), argument: "auth" },
  ])("refuses $why and names the option", ({ run, argument }) => {
    expect(run).toThrow(
      expect.objectContaining({
        kind: "usage",
        details: { argument },
        message: expect.stringContaining(argument),
      }),
    );
  });

  it("proposes the scheme that is missing", () => {
    expect(() => connect(Homeless, { model: "m", url: "localhost:11434" })).toThrow(
      /http:\/\/localhost:11434/,
    );
  });

  it("refuses what is no provider class", () => {
    expect(() => connect(class {} as never, { model: "m" })).toThrow(
      expect.objectContaining({ kind: "contract" }),
    );
  });

  it("makes an IO that needs nothing else", () => {
    const io = new IO(connect(OpenAIChat, { model: "qwen" }));
    expect(io.selector).toBe("lm-studio/qwen");
    expect(io.state).toBe("idle");
  });
});
