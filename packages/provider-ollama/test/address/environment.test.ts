import { describe, expect, it } from "vitest";
import { endpointsOf, localEndpoint } from "../../src/address/environment.js";

const key = { type: "api_key", token: "secret-key" };

describe("the endpoints of an environment", () => {
  it("are none in an empty one", () => {
    expect(endpointsOf({})).toEqual({});
  });

  it("hold the server that OLLAMA_HOST names", () => {
    expect(endpointsOf({ OLLAMA_HOST: "gpu:8080" })).toEqual({ ollama: { url: "http://gpu:8080" } });
  });

  it("hold the cloud when there is a key", () => {
    expect(endpointsOf({ OLLAMA_API_KEY: " secret-key " })).toEqual({
      "ollama-cloud": { url: "https://ollama.com", auth: key },
    });
  });

  it("send the key to a server of one's own over TLS only", () => {
    expect(endpointsOf({ OLLAMA_HOST: "gpu", OLLAMA_API_KEY: "secret-key" }).ollama).toEqual({
      url: "http://gpu:11434",
    });
    expect(endpointsOf({ OLLAMA_HOST: "https://gpu", OLLAMA_API_KEY: "secret-key" }).ollama).toEqual({
      url: "https://gpu",
      auth: key,
    });
  });

  it("prefer the credentials that stand in OLLAMA_HOST", () => {
    const { ollama } = endpointsOf({ OLLAMA_HOST: "https://me:pw@gpu", OLLAMA_API_KEY: "secret-key" });
    expect(ollama?.auth).toEqual({ type: "api_key", scheme: "basic", token: "me:pw" });
  });

  it("fail by name when OLLAMA_HOST cannot be read", () => {
    expect(() => endpointsOf({ OLLAMA_HOST: "gpu:port" })).toThrow(
      expect.objectContaining({ kind: "malformed" }),
    );
  });

  it("are looked for at the default address when nothing is set", () => {
    expect(localEndpoint({ OLLAMA_HOST: " " })).toEqual({ url: "http://127.0.0.1:11434" });
  });
});
