import { Context, messageAssistant, messageToolResult, messageUser } from "@ashlar/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPlace, keep, type Place } from "./fixture.js";

const ATTACK =
  "\u001b[2J\u001b]0;x\u0007\u001b]52;c;SGk=\u0007\u001b[?1049h\u009b31m\u202etext ✅ 日本語テキスト 👩‍👩‍👧‍👦 שלום a\u200bb 🇩🇪\r\t\t\t.";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let place: Place;
let id: string;
let fork: string;
beforeAll(async () => {
  place = await createPlace();
  id = await keep(place, {
    name: `name ${ATTACK}`,
    cwd: place.project,
    items: [
      messageUser(`said ${ATTACK} ${"/long".repeat(100)}`),
      messageAssistant([
        { type: "thinking", text: ATTACK },
        { type: "toolCall", callId: "k", name: `tool${ATTACK}`, arguments: { [ATTACK]: ATTACK } },
      ]),
      messageToolResult({ callId: "k", name: `tool${ATTACK}`, content: ATTACK, error: true }),
      { type: `record${ATTACK}`, data: ATTACK },
      {
        type: 3,
        content: [{ type: "binary", content: "AA==", filename: ATTACK, mimetype: ATTACK }],
        error: ATTACK,
      },
    ],
  });
  const context = await Context.open({ store: await place.repository.open(id), whole: true });
  context.label(0, ATTACK);
  context.rollback(4);
  context.moveLane(`lane ${ATTACK}`, context.leaf);
  await context.close();
  const settings = { model: ATTACK };
  const store = await place.repository.create({ cwd: `/p${ATTACK}`, parent: { session: id }, settings });
  fork = store.info.id;
  await store.close();
});
afterAll(() => place.remove());

describe.each([
  ["list", "--all"],
  ["list", "--all", "--json"],
  ["tree", "--all"],
  ["tree", "ID"],
  ["show", "ID", "--branches"],
  ["show", "ID", "--full"],
  ["show", "ID", "--json", "--branches"],
  ["show", "FORK"],
  ["search", "text", "--all"],
  ["search", "text", "--all", "--json"],
  ["delete", `x${ATTACK}`],
  ["show", `x${ATTACK}`],
])("ashlar sessions %s %s", (...words) => {
  it("steers no terminal, whatever was said, and shows the words", async () => {
    const resolved = [
      "sessions",
      ...words.map((word) => (word === "ID" ? id : word === "FORK" ? fork : word)),
    ];
    for (const columns of [undefined, 120, 27, 5, 1]) {
      const { stdout, stderr } = await place.run(resolved, columns === undefined ? {} : { columns });
      expect(stdout).not.toMatch(STEERING);
      expect(stderr).not.toMatch(STEERING);
      if (columns === undefined) expect(stdout + stderr).toContain("text");
    }
  });
});
