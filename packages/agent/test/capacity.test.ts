import { expect, it } from "vitest";
import { capacityOf } from "../src/capacity.js";

it.each([
  { why: "nothing is set", settings: {}, active: 3, capacity: [8, 3, 5] },
  { why: "the global limit", settings: { maxActive: 4 }, active: 1, capacity: [4, 1, 3] },
  { why: "none at all", settings: { maxActive: false }, active: 1, capacity: [0, 1, 0] },
  {
    why: "the tightest of three",
    settings: { maxActive: 9, providers: { lab: { maxActive: 5, models: { one: { maxActive: 7 } } } } },
    active: 6,
    capacity: [5, 6, 0],
  },
])("a model has room for agents: $why", ({ settings, active, capacity }) => {
  const {
    maxActive,
    available,
    active: counted,
  } = capacityOf({ settings, endpoint: "lab", model: "one", active });
  expect([maxActive, counted, available]).toEqual(capacity);
});
