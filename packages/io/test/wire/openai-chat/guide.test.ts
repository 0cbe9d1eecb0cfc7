import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { chatCompat } from "../../../src/wire/openai-chat/compat.js";

it("has every compatibility flag in the guide with its default first", () => {
  const guide = readFileSync(
    new URL("../../../../../docs/guides/openai-compatible-servers.md", import.meta.url),
    "utf8",
  );
  const table = guide.slice(guide.indexOf("| flag |"), guide.indexOf("## What they carry"));
  const rows = [...table.matchAll(/^\| `(\w+)` \| `([^`]+)`/gm)].map(([, name, value]): [string, unknown] => [
    name ?? "",
    JSON.parse(value ?? ""),
  ]);
  expect(Object.fromEntries(rows)).toEqual(chatCompat({}));
});
