import { expect, it } from "vitest";
import { askFake } from "./fake-ollama.js";

it("answers as the model's name says", async () => {
  expect(await askFake("ok")).toMatchObject({ status: 200, sawModel: { model: "ok" } });
  expect(await askFake("401")).toMatchObject({ status: 401, sawModel: { model: "401" } });
});
