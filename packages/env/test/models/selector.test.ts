import type { Env } from "@ashlar/env";
import { describe, expect, it } from "vitest";
import { createHome, Lab, startLab } from "../endpoints/lab.js";
import { failureOf, SETTINGS, URL_1 } from "./lab-settings.js";

async function open(): Promise<Env> {
  return (await createHome()).open({ collect: false, settings: SETTINGS });
}

describe("a selector", () => {
  it.each([
    { why: "names a pair", selector: "lab/qwen3:8b", is: "lab/qwen3:8b" },
    { why: "has blanks around", selector: " lab/qwen3:8b\n", is: "lab/qwen3:8b" },
    { why: "has slashes and a colon in the model", selector: "lab/org/model:tag", is: "lab/org/model:tag" },
    { why: "is a model alone", selector: "qwen3:8b", is: "lab/qwen3:8b" },
    { why: "is a model with slashes alone", selector: "org/model:tag", is: "org/model:tag" },
    { why: "is an endpoint with a set model", selector: "work", is: "work/main" },
    { why: "is an endpoint with a slash", selector: "work/", is: "work/main" },
    { why: "is an endpoint without a set model", selector: "lab", is: "lab/qwen3:8b" },
    { why: "is an endpoint whose first models are hidden", selector: "partly", is: "partly/third" },
    { why: "names a model that no list has yet", selector: "org/brand-new", is: "org/brand-new" },
    { why: "names a hidden model", selector: "partly/second", is: "partly/second" },
    { why: "names an endpoint that only its provider knows", selector: "scripted/echo", is: "scripted/echo" },
  ])("that $why finds $is", async ({ selector, is }) => {
    const connection = (await open()).connection(selector);
    expect(`${connection.endpoint}/${connection.model}`).toBe(is);
  });

  it.each([
    {
      why: "a model of two endpoints",
      selector: "both",
      words: 'several endpoints have a model "both": lab/both, work/both. Name one of them.',
    },
    {
      why: "an unknown endpoint",
      selector: "wrok/main",
      words:
        'there is no endpoint "wrok" for "wrok/main". Did you mean work/main? Log in with "ashlar login wrok", or add "wrok" under "providers"',
    },
    {
      why: "an unknown model",
      selector: "qwen3:8c",
      words: 'no endpoint has a model "qwen3:8c". Did you mean qwen3:8b?',
    },
    { why: "a hidden model alone", selector: "second", words: 'no endpoint has a model "second"' },
    { why: "a scripted model alone", selector: "echo", words: 'no endpoint has a model "echo"' },
    {
      why: "an endpoint without models",
      selector: "org",
      words: "endpoint org lists no model; name one as org/<model>, or set providers.org.model",
    },
    {
      why: "nothing, when nothing was used",
      selector: "",
      words:
        "no model was named and none was used before; name one as endpoint/model. There are lab/qwen3:8b,",
    },
    { why: "a slash", selector: "/", words: "there is no endpoint" },
    { why: "a control key", selector: "__proto__/x", words: 'there is no endpoint "__proto__"' },
  ])("for $why is kind usage and says what would be right", async ({ selector, words }) => {
    const env = await open();
    expect(failureOf(() => env.connection(selector))).toMatchObject({
      kind: "usage",
      details: { argument: "model" },
      message: expect.stringContaining(words),
    });
  });

  it.each(["off", "off/gone", "off/any", "partly/first"])(
    "for the disabled %s is refused",
    async (selector) => {
      const env = await open();
      expect(failureOf(() => env.connection(selector))).toMatchObject({
        kind: "refused",
        details: { name: selector.split("/")[0] },
        message: expect.stringContaining("cannot be used: providers."),
      });
    },
  );

  it("is checked against a list that the server gave just now, where a left-out tag means the latest", async () => {
    const server = await startLab({ "qwen3:latest": {}, "llama3:8b": {} });
    const env = await (await createHome()).open({
      settings: { providers: { work: { provider: "lab", url: server.url } } },
    });
    await env.modelsReady;
    expect(env.connection("work/qwen3").model).toBe("qwen3:latest");
    expect(failureOf(() => env.connection("work/lama3:8b"))).toMatchObject({
      kind: "usage",
      message: 'endpoint work has no model "lama3:8b"; did you mean work/llama3:8b?',
    });
    expect(failureOf(() => env.connection("work/gpt"))).toMatchObject({
      message: 'endpoint work has no model "gpt"; it lists qwen3:latest, llama3:8b',
    });
  });

  it("without endpoints says how to get one", async () => {
    const env = await (await createHome()).open({ collect: false });
    expect(failureOf(() => env.connection(""))).toMatchObject({
      kind: "usage",
      message: expect.stringContaining(
        'log in with "ashlar login <endpoint>", or add one under "providers" in the settings',
      ),
    });
  });

  it("that is empty means the setting `model`, then the last pair that was used here, then anywhere", async () => {
    const home = await createHome();
    const env = await home.open({ collect: false, settings: SETTINGS });
    env.connection("lab/qwen3:8b");
    await new Promise((resolve) => setTimeout(resolve, 5));
    env.connection("work/both");
    expect(env.connection("", { remember: false }).model).toBe("both");
    await env.close();
    const again = await home.open({ collect: false, settings: SETTINGS });
    expect(again.connection("", { remember: false }).endpoint).toBe("work");
    await again.close();
    const without = await home.open({
      collect: false,
      settings: { providers: { lab: SETTINGS.providers.lab } },
    });
    expect(without.connection("", { remember: false }).model).toBe("qwen3:8b");
    await without.close();
    const preset = await home.open({ collect: false, settings: { ...SETTINGS, model: "scripted/read" } });
    expect(preset.connection("").endpoint).toBe("scripted");
  });
});

it("an empty selector means also a pair whose endpoint only its provider knows", async () => {
  const home = await createHome();
  const Known = class extends Lab {
    static override readonly knownEndpoints = [{ name: "known", label: "Known", url: URL_1 }];
  };
  const env = await home.open({ collect: false, providers: { known: Known } });
  env.connection("known/m");
  await env.close();
  const next = await home.open({ collect: false, providers: { known: Known } });
  expect(next.connection("")).toMatchObject({ endpoint: "known", model: "m", url: URL_1 });
});
