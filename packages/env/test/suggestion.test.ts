import { expect, it } from "vitest";
import { closest } from "../src/suggestion.js";

const names = ["model", "providers", "packages", "env-allow", "env-refuse", "tools"];

it.each([
  { why: "swapped letters", name: "modle", near: "model" },
  { why: "a letter too few", name: "pakages", near: "packages" },
  { why: "a letter too many", name: "toools", near: "tools" },
  { why: "another case", name: "Model", near: "model" },
  { why: "another separator", name: "env_allow", near: "env-allow" },
  { why: "something else", name: "theme", near: undefined },
  { why: "no letters", name: "", near: undefined },
  { why: "a text that is no name", name: "x".repeat(100_000), near: undefined },
])("finds $near for $why", ({ name, near }) => {
  expect(closest(name, names)).toBe(near);
});
