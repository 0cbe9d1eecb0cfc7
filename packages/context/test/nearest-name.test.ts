import { nearestName } from "@ashlar/context";
import { expect, it } from "vitest";

const names = ["context2msg", "msg2events", "send", "read", "close"];

it.each([
  { why: "a letter missing", wrong: "context2mg", nearest: "context2msg" },
  { why: "another case", wrong: "Context2Msg", nearest: "context2msg" },
  { why: "two letters swapped", wrong: "sedn", nearest: "send" },
  { why: "a letter replaced", wrong: "reed", nearest: "read" },
  { why: "a word like no other", wrong: "transcode", nearest: undefined },
  { why: "a longer word that holds one", wrong: "readBytesNow", nearest: undefined },
  { why: "nothing", wrong: "", nearest: undefined },
  { why: "a flood", wrong: "send".repeat(10_000), nearest: undefined },
])("answers $nearest for $why", ({ wrong, nearest }) => {
  expect(nearestName(wrong, names)).toBe(nearest);
});
