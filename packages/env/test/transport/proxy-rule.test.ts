import { describe, expect, it } from "vitest";
import { proxyFor } from "../../src/transport/proxy-rule.js";

const PROXY = "http://proxy.example:3128";

describe("the proxy rule", () => {
  it.each([
    { why: "https takes HTTPS_PROXY", url: "https://a.example/", environment: { HTTPS_PROXY: PROXY } },
    { why: "http takes HTTP_PROXY", url: "http://a.example/", environment: { HTTP_PROXY: PROXY } },
    { why: "lower case counts too", url: "https://a.example/", environment: { https_proxy: PROXY } },
    {
      why: "lower case wins",
      url: "https://a.example/",
      environment: { https_proxy: PROXY, HTTPS_PROXY: "x:1" },
    },
    {
      why: "an empty value is none",
      url: "https://a.example/",
      environment: { https_proxy: " ", HTTPS_PROXY: PROXY },
    },
    {
      why: "the scheme may be left out",
      url: "https://a.example/",
      environment: { HTTPS_PROXY: "proxy.example:3128" },
    },
    {
      why: "another name is not exempt",
      url: "http://nota.example/",
      environment: { HTTP_PROXY: PROXY, NO_PROXY: "a.example" },
    },
    {
      why: "another port is not exempt",
      url: "http://a.example:81/",
      environment: { HTTP_PROXY: PROXY, NO_PROXY: "a.example:80" },
    },
    {
      why: "an address outside the network",
      url: "http://10.1.0.1/",
      environment: { HTTP_PROXY: PROXY, NO_PROXY: "10.0.0.0/16" },
    },
    {
      why: "a network that is none",
      url: "http://10.1.0.1/",
      environment: { HTTP_PROXY: PROXY, NO_PROXY: "10.0.0.0/99,/,//" },
    },
    {
      why: "a name that only looks like this machine",
      url: "http://localhost.example/",
      environment: { HTTP_PROXY: PROXY },
    },
    { why: "a name that begins with 127", url: "http://127.example/", environment: { HTTP_PROXY: PROXY } },
  ])("sends through it: $why", ({ url, environment }) => {
    expect(proxyFor(new URL(url), environment)).toEqual({ origin: PROXY });
  });

  it.each([
    { why: "nothing set", url: "https://a.example/", no: undefined, proxy: undefined },
    { why: "loopback", url: "http://127.0.0.1:1/", no: undefined, proxy: PROXY },
    { why: "all of 127/8", url: "http://127.9.8.7/", no: undefined, proxy: PROXY },
    { why: "a short spelling of loopback", url: "http://127.1/", no: undefined, proxy: PROXY },
    { why: "a hexadecimal spelling of loopback", url: "http://0x7f000001/", no: undefined, proxy: PROXY },
    { why: "localhost", url: "http://LOCALHOST/", no: undefined, proxy: PROXY },
    { why: "a name below localhost", url: "http://x.localhost/", no: undefined, proxy: PROXY },
    { why: "IPv6 loopback", url: "http://[::1]:11434/", no: undefined, proxy: PROXY },
    { why: "IPv4 loopback inside IPv6", url: "http://[::ffff:127.0.0.1]/", no: undefined, proxy: PROXY },
    { why: "a star", url: "http://a.example/", no: "*", proxy: PROXY },
    { why: "the name itself", url: "http://a.example/", no: "b.example, a.example", proxy: PROXY },
    { why: "a name below it", url: "http://x.a.example/", no: "a.example", proxy: PROXY },
    { why: "a leading dot", url: "http://x.a.example/", no: ".a.example", proxy: PROXY },
    { why: "a leading star", url: "http://x.a.example/", no: "*.a.example", proxy: PROXY },
    { why: "blanks between", url: "http://a.example/", no: "x  a.example\ty", proxy: PROXY },
    { why: "other case", url: "http://a.example/", no: "A.EXAMPLE", proxy: PROXY },
    { why: "the right port", url: "http://a.example:81/", no: "a.example:81", proxy: PROXY },
    { why: "a default port", url: "http://a.example/", no: "a.example:80", proxy: PROXY },
    { why: "a network", url: "http://10.0.3.4/", no: "10.0.0.0/16", proxy: PROXY },
    { why: "an IPv6 address", url: "http://[fd00::1]/", no: "fd00::1", proxy: PROXY },
    { why: "an IPv6 address in brackets", url: "http://[fd00::1]:81/", no: "[fd00::1]:81", proxy: PROXY },
  ])("connects directly: $why", ({ url, no, proxy }) => {
    expect(proxyFor(new URL(url), { http_proxy: proxy, no_proxy: no })).toBeUndefined();
  });

  it.each(["socks5://me:pa55@h:1", "http://", "://x"])("refuses %s by the name of its variable", (value) => {
    expect(() => proxyFor(new URL("http://a.example"), { HTTP_PROXY: value })).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: expect.stringMatching(/^HTTP_PROXY is not a proxy address(?!.*pa55)/),
      }),
    );
  });
});
