import { describe, expect, it } from "vitest";
import { callUrl, parseAddress } from "../../src/address/address.js";
import { authorization } from "../../src/address/headers.js";
import { OllamaError } from "../../src/ollama-error.js";

describe("an address as people write it", () => {
  it.each([
    { why: "a host alone gets scheme and port", text: "gpu", url: "http://gpu:11434" },
    { why: "a host and a port", text: "gpu:8080", url: "http://gpu:8080" },
    { why: "a port alone means this machine", text: ":8080", url: "http://127.0.0.1:8080" },
    { why: "an IPv4 address", text: "192.168.1.5", url: "http://192.168.1.5:11434" },
    { why: "an explicit scheme brings its own port", text: "http://gpu", url: "http://gpu" },
    {
      why: "https brings its own port",
      text: "https://ollama.example.com",
      url: "https://ollama.example.com",
    },
    { why: "https with a port", text: "https://gpu:8443", url: "https://gpu:8443" },
    { why: "a scheme in capitals", text: "HTTP://gpu:1234", url: "http://gpu:1234" },
    { why: "a slash at the end", text: "http://gpu:11434/", url: "http://gpu:11434" },
    { why: "a path prefix of a proxy", text: "https://gpu/ollama/", url: "https://gpu/ollama" },
    { why: "a path without a scheme", text: "gpu:80/ollama", url: "http://gpu/ollama" },
    { why: "the native API pasted along", text: "http://gpu:11434/api", url: "http://gpu:11434" },
    { why: "one call pasted whole", text: "http://gpu:11434/api/chat", url: "http://gpu:11434" },
    { why: "the OpenAI API pasted along", text: "http://gpu:11434/v1/", url: "http://gpu:11434" },
    { why: "doubled slashes", text: "http://gpu:11434//", url: "http://gpu:11434" },
    { why: "a prefix before the pasted API", text: "https://gpu/a/b/v1", url: "https://gpu/a/b" },
    { why: "a query is kept", text: "https://gpu/x?tenant=7", url: "https://gpu/x?tenant=7" },
    { why: "bind-all is reached by loopback", text: "0.0.0.0", url: "http://127.0.0.1:11434" },
    { why: "bind-all with a port", text: "0.0.0.0:1234", url: "http://127.0.0.1:1234" },
    { why: "bind-all with scheme", text: "http://0.0.0.0:1234", url: "http://127.0.0.1:1234" },
    { why: "IPv6 bind-all", text: "[::]:1234", url: "http://[::1]:1234" },
    { why: "IPv6 in brackets", text: "[::1]", url: "http://[::1]:11434" },
    { why: "IPv6 in brackets with a port", text: "[fe80::1]:9", url: "http://[fe80::1]:9" },
    { why: "IPv6 without brackets", text: "::1", url: "http://[::1]:11434" },
    { why: "IPv6 without brackets but with a port", text: "::1:11434", url: "http://[::1]:11434" },
    { why: "IPv6 after a scheme", text: "http://[::1]:1234/api", url: "http://[::1]:1234" },
    { why: "blanks around", text: "  gpu:8080\t", url: "http://gpu:8080" },
    { why: "double quotes around", text: '"gpu:8080"', url: "http://gpu:8080" },
    { why: "single quotes and blanks", text: " 'http://gpu:8080 ' ", url: "http://gpu:8080" },
    { why: "an international name", text: "bücher.example", url: "http://xn--bcher-kva.example:11434" },
  ])("reads $text: $why", ({ text, url }) => {
    expect(parseAddress(text, "OLLAMA_HOST")).toEqual({ url });
  });

  it.each(["", "   ", '""', "' '"])("takes %j for unset", (text) => {
    expect(parseAddress(text, "OLLAMA_HOST")).toBeUndefined();
  });

  it.each([
    { text: "user:pass@gpu:8080", token: "user:pass" },
    { text: "http://user:p%40ss@gpu", token: "user:p@ss" },
    { text: "http://a:b@c@gpu", token: "a:b@c" },
    { text: "user@gpu", token: "user" },
    { text: "http://user:50%@gpu", token: "user:50%" },
  ])("takes the credentials out of $text", ({ text, token }) => {
    const address = parseAddress(text, "OLLAMA_HOST");
    expect(address?.auth).toEqual({ type: "api_key", scheme: "basic", token });
    expect(address?.url).not.toContain("@");
  });

  it.each([
    { why: "another scheme", text: "ftp://gpu" },
    { why: "a port that is none", text: "gpu:port" },
    { why: "a port beyond the last", text: "gpu:70000" },
    { why: "port 0", text: "gpu:0" },
    { why: "a port without its colon", text: "11434" },
    { why: "blanks inside", text: "my gpu" },
    { why: "a scheme and nothing else", text: "http://" },
    { why: "an open bracket", text: "[::1" },
    { why: "a host with forbidden characters", text: "http://g^pu" },
  ])("refuses $text: $why", ({ text }) => {
    const error = catchError(() => parseAddress(text, "OLLAMA_HOST"));
    expect(error.kind).toBe("malformed");
    expect(error.details).toEqual({ at: "OLLAMA_HOST" });
    expect(error.message).toContain("OLLAMA_HOST");
    expect(error.message).toContain("127.0.0.1:11434");
  });

  it("shows no password in an error", () => {
    for (const text of ["http://user:hunter2@g^pu", "user:hunter2@gpu:port", "ftp://user:hunter2@gpu"]) {
      expect(catchError(() => parseAddress(text, "url")).message).not.toContain("hunter2");
    }
  });
});

describe("the URL of a call", () => {
  it.each([
    { address: "http://gpu:11434", url: "http://gpu:11434/api/chat" },
    { address: "https://gpu/ollama", url: "https://gpu/ollama/api/chat" },
    { address: "https://gpu/ollama?tenant=7", url: "https://gpu/ollama/api/chat?tenant=7" },
  ])("lies below $address", ({ address, url }) => {
    expect(callUrl(address, "/api/chat")).toBe(url);
  });
});

describe("the authorization header", () => {
  it("carries a key as a bearer token", () => {
    expect(authorization({ type: "api_key", token: "k" })).toEqual({ authorization: "Bearer k" });
  });

  it("carries user and password in basic form, in UTF-8", () => {
    const { authorization: header } = authorization({ type: "api_key", scheme: "basic", token: "ü:p" });
    expect(Buffer.from(header?.slice("Basic ".length) ?? "", "base64").toString()).toBe("ü:p");
  });

  it.each([undefined, { type: "none" as const }, { type: "api_key" as const, token: "" }])(
    "is absent without a token",
    (auth) => {
      expect(authorization(auth)).toEqual({});
    },
  );
});

function catchError(run: () => unknown): OllamaError {
  try {
    run();
  } catch (error) {
    if (error instanceof OllamaError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
