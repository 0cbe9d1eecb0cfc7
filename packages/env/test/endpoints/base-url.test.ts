import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBaseUrl } from "../../src/endpoints/base-url.js";

describe("a base URL", () => {
  it.each([
    { value: "http://127.0.0.1:8/v1", url: "http://127.0.0.1:8/v1" },
    { value: "http://127.0.0.1:8/v1/", url: "http://127.0.0.1:8/v1" },
    { value: "http://127.0.0.1:8/openai/v1//", url: "http://127.0.0.1:8/openai/v1" },
    { value: "http://127.0.0.1:8//openai///v1", url: "http://127.0.0.1:8/openai/v1" },
    { value: "\t http://127.0.0.1:8/v1 \n", url: "http://127.0.0.1:8/v1" },
    { value: "http://127.0.0.1:8/v1?api-version=7", url: "http://127.0.0.1:8/v1?api-version=7" },
    { value: "HTTP://LOCALHOST:80/v1#part", url: "http://localhost/v1" },
    { value: "http://[::1]:8/", url: "http://[::1]:8" },
  ])("$value is $url", ({ value, url }) => {
    expect(parseBaseUrl({ value, key: "url" })).toMatchObject({ ok: true, url });
  });

  it.each([
    { value: "", words: "is empty" },
    { value: "   ", words: "is empty" },
    { value: 7, words: "is empty" },
    { value: "127.0.0.1:8", words: "has no scheme; write http://127.0.0.1:8" },
    { value: "localhost:8/v1", words: "has no scheme; write http://localhost:8/v1" },
    { value: "//host/v1", words: "has no scheme; write http://host/v1" },
    { value: "me:pa55@host/v1", words: 'url: "host/v1" has no scheme' },
    { value: "http://", words: "is not a URL" },
    { value: "file:///etc/passwd", words: "has the scheme file:" },
    { value: "https://pa55@host/v1?token=pa55", words: 'url: "https://host/v1" holds credentials' },
  ])("$value is refused in words", ({ value, words }) => {
    const parsed = parseBaseUrl({ value, key: "url" });
    expect(parsed).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
    expect(JSON.stringify(parsed)).not.toContain("pa55");
  });

  it("is the same when it is read again, and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (value) => {
        const parsed = parseBaseUrl({ value, key: "url" });
        if (!parsed.ok) return;
        expect(parseBaseUrl({ value: parsed.url, key: "url" })).toEqual(parsed);
        expect(new URL(parsed.url).pathname).not.toContain("//");
      }),
    );
  });
});
