import { expect, it } from "vitest";
import { playScript } from "./play-script.js";

it("plays three turns", async () => {
  expect(await playScript()).toEqual(["done: toolCalls", "error: too busy", "done: stop"]);
});
