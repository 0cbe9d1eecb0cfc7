import { startFakeOllama } from "@ashlar/testing";
import { expect, it } from "vitest";
import { askOllama } from "./ask-ollama.js";

it("streams the answer of a model", async () => {
  const server = await startFakeOllama();
  const shown: string[] = [];
  await askOllama("ok", "hi", (text) => shown.push(text), server.url);
  await server.close();
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.join("")).toBe("Hello from the fake model.");
});

it("says what went wrong", async () => {
  const server = await startFakeOllama();
  await expect(askOllama("401", "hi", () => undefined, server.url)).rejects.toThrow(/^auth: .*unauthorized/);
  await server.close();
});
