import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Context,
  contentText,
  createAssembler,
  isMessage,
  type Message,
  messageAssistant,
  messageToolResult,
  messageUser,
  requestView,
  type SessionDamage,
} from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/fixture.js";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = '{"type":"session","version":2,"id":"s","created":"2026-11-30T10:00:00.000Z","cwd":"/p"}';
const line = (seq: number, parent: number | null, message: Message = messageUser(`text ${seq}`)): string =>
  JSON.stringify({
    id: `m${seq}`,
    seq,
    parent: parent === null ? null : `m${parent}`,
    at: 1_000 + seq,
    kind: "message",
    message,
    merge: false,
  });

interface Seen {
  readonly texts: readonly string[];
  readonly damage: readonly SessionDamage[];
  readonly items: readonly Message[];
}

const file = () => join(folder, "s.jsonl");

function put(...lines: readonly string[]): void {
  writeFileSync(file(), lines.join("\n"));
}

async function see({
  add,
  readonly = false,
}: {
  readonly add?: string;
  readonly readonly?: boolean;
} = {}): Promise<Seen> {
  const store = await createJsonlRepository({ folder }).open("s", { readonly });
  const context = await Context.open({ store });
  if (add !== undefined) context.append(messageUser(add));
  await context.flush();
  const { damage } = store;
  await context.close();
  const items = context.items().filter(isMessage);
  return { texts: items.map(contentText), damage, items };
}

const reasons = ({ damage }: Seen) => damage.map(({ reason, at }) => `${reason} ${at.replace(file(), "")}`);

describe("a torn last line", () => {
  const TORN = '{"id":"m3","seq":3,"parent":"m2","at":1003,"kin';

  it("is passed over, said once, kept in the file, and never joined to what is written next", async () => {
    put(HEADER, line(1, null), line(2, 1), TORN);
    const first = await see({ add: "hello" });
    expect(first.texts).toEqual(["text 1", "text 2", "hello"]);
    expect(reasons(first)).toEqual(["torn :4"]);
    expect(first.damage[0]?.message).toContain("47 bytes are torn");
    const lines = readFileSync(file(), "utf8").split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.filter((text) => text === TORN)).toHaveLength(1);
    for (const text of lines) if (text !== TORN) expect(() => JSON.parse(text)).not.toThrow();
    const again = await see();
    expect(again.texts).toEqual(first.texts);
    expect(again.damage).toEqual([]);
  });

  it("that is whole and lacks only its end gets one", async () => {
    put(HEADER, line(1, null), line(2, 1));
    const first = await see({ add: "hello" });
    expect(first.texts).toEqual(["text 1", "text 2", "hello"]);
    expect(reasons(first)).toEqual(["torn :3"]);
    expect((await see()).damage).toEqual([]);
  });

  it("is said to a reader, who changes nothing", async () => {
    put(HEADER, line(1, null), TORN);
    const before = readFileSync(file());
    const seen = await see({ readonly: true });
    expect(seen.texts).toEqual(["text 1"]);
    expect(reasons(seen)).toEqual(["torn :3"]);
    expect(readFileSync(file()).equals(before)).toBe(true);
  });

  it("may be cut at every byte of the last three lines", { timeout: 120_000 }, async () => {
    const store = await createJsonlRepository({ folder }).create({ id: "s" });
    const context = await Context.open({ store });
    for (const text of ["eins", "zwei é🙂", "drei"]) {
      context.append(messageUser(text));
      context.append(messageAssistant(`${text} \u0000 "\\ 漢`));
    }
    context.compact({ firstKept: 4, summary: messageUser("sum") });
    context.edit(-1, messageAssistant("edited"));
    context.rename("named");
    await context.close();
    const whole = readFileSync(file());
    const ends = [...whole.keys()].filter((at) => whole[at] === 10);
    const third = (ends.at(-4) ?? 0) + 1;
    expect(whole.length - third).toBeGreaterThan(300);
    const entries = whole
      .toString("utf8")
      .split("\n")
      .slice(1, -1)
      .map((text) => JSON.parse(text));
    for (let cut = third; cut <= whole.length; cut += 1) {
      writeFileSync(file(), whole.subarray(0, cut));
      // A line is whole with its last byte; the line end is added when it is missing.
      const kept = ends.filter((end) => end <= cut).length - 1;
      const opened = await createJsonlRepository({ folder }).open("s");
      expect(await opened.load()).toEqual(entries.slice(0, kept));
      const again = await Context.open({ store: opened });
      again.append(messageUser("more"));
      await again.close();
      const reread = await createJsonlRepository({ folder }).open("s", { readonly: true });
      expect((await reread.load()).slice(0, -1)).toEqual(entries.slice(0, kept));
      expect(reread.damage).toEqual([]);
      await reread.close();
    }
  });
});

describe("damage in the middle", () => {
  it("of two lines that were glued: what is whole in them and what follows is read, nothing is destroyed", async () => {
    const glued = `{"id":"m3","seq":3,"pa${line(4, 2, messageUser("kept?"))}`;
    put(HEADER, line(1, null), line(2, 1), glued, line(5, 2), line(6, 5), "");
    const before = readFileSync(file(), "utf8");
    const seen = await see();
    expect(seen.texts).toEqual(["text 1", "text 2", "text 5", "text 6"]);
    expect(reasons(seen)).toEqual(["unreadable :4", "missing :4"]);
    expect(seen.damage[0]?.message).toContain(`${file()}:4`);
    const store = await createJsonlRepository({ folder }).open("s", { readonly: true });
    expect((await store.load()).map(({ id }) => id)).toContain("m4");
    await store.close();
    expect(readFileSync(file(), "utf8")).toBe(before);
    expect((await see({ add: "on" })).texts).toEqual([...seen.texts, "on"]);
    expect((await see()).texts).toEqual([...seen.texts, "on"]);
    expect(readFileSync(file(), "utf8").startsWith(before)).toBe(true);
  });

  it.each([
    {
      why: "garbage",
      lines: [line(1, null), "%%%", line(2, 1)],
      texts: ["text 1", "text 2"],
      damage: ["unreadable :3"],
    },
    {
      why: "a run of NUL bytes",
      lines: [line(1, null), "\0".repeat(4096), line(2, 1)],
      texts: ["text 1", "text 2"],
      damage: ["unreadable :3"],
    },
    {
      why: "a run of NUL bytes before an entry",
      lines: [line(1, null), `${"\0".repeat(512)}${line(2, 1)}`, line(3, 2)],
      texts: ["text 1", "text 2", "text 3"],
      damage: ["unreadable :3"],
    },
    {
      why: "blank lines and CRLF",
      lines: [`${line(1, null)}\r`, "", "  ", line(2, 1)],
      texts: ["text 1", "text 2"],
      damage: [],
    },
    {
      why: "a line twice",
      lines: [line(1, null), line(2, 1), line(2, 1), line(3, 2)],
      texts: ["text 1", "text 2", "text 3"],
      damage: ["duplicate :4"],
    },
    {
      why: "lines in another order",
      lines: [line(2, 1), line(1, null), line(3, 2)],
      texts: ["text 1", "text 2", "text 3"],
      damage: [],
    },
    {
      why: "a line that is gone",
      lines: [line(1, null), line(3, 2), line(4, 3)],
      texts: ["text 1", "text 3", "text 4"],
      damage: ["missing :3", "orphan :3"],
    },
    {
      why: "parents in a cycle",
      lines: [line(1, 2), line(2, 1), line(3, 2)],
      texts: ["text 1", "text 2", "text 3"],
      damage: ["orphan :2"],
    },
    {
      why: "lines that are JSON and no entries",
      lines: [line(1, null), '{"role":"user"}', "[1]", "5", line(2, 1)],
      texts: ["text 1", "text 2"],
      damage: ["malformed :3", "malformed :4", "malformed :5"],
    },
    {
      why: "a kind that nobody knows",
      lines: [line(1, null), '{"id":"m2","seq":2,"parent":"m1","at":1,"kind":"hologram"}', line(3, 2)],
      texts: ["text 1", "text 3"],
      damage: ["malformed :3", "missing :4", "orphan :4"],
    },
    {
      why: "a message without content",
      lines: [
        line(1, null),
        '{"id":"m2","seq":2,"parent":"m1","at":1,"kind":"message","message":{"type":2}}',
        line(3, 2),
      ],
      texts: ["text 1", "text 3"],
      damage: ["malformed :3", "missing :4", "orphan :4"],
    },
    {
      why: "a file that was copied behind itself",
      lines: [line(1, null), line(2, 1), HEADER, line(1, null), line(2, 1)],
      texts: ["text 1", "text 2"],
      damage: ["duplicate :5", "duplicate :6"],
    },
  ])("is told by line and hides nothing else: $why", async ({ lines, texts, damage }) => {
    put(HEADER, ...lines, "");
    const seen = await see();
    expect(seen.texts).toEqual(texts);
    expect(reasons(seen)).toEqual(damage);
    expect((await see({ add: "on" })).texts).toEqual([...texts, "on"]);
    expect((await see()).texts).toEqual([...texts, "on"]);
  });

  it("of a nested bomb is refused by line and does not exhaust the stack", async () => {
    const bomb = `{"id":"b","seq":2,"parent":"m1","at":1,"kind":"custom","name":"x","data":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
    put(HEADER, line(1, null), bomb, line(3, 1), "");
    const seen = await see();
    expect(seen.texts).toEqual(["text 1", "text 3"]);
    expect(reasons(seen)).toEqual(["malformed :3", "missing :4"]);
  });

  it("survives a byte order mark before the header", async () => {
    writeFileSync(file(), `\ufeff${HEADER}\n${line(1, null)}\n`);
    const seen = await see();
    expect(seen.texts).toEqual(["text 1"]);
    expect(seen.damage).toEqual([]);
    expect((await createJsonlRepository({ folder }).find("s")).cwd).toBe("/p");
  });
});

describe("a file", () => {
  it.each([
    { why: "empty", text: "" },
    { why: "of zeros", text: "\0".repeat(1_000) },
    { why: "of another program", text: '{"role":"user","content":"hi"}\n' },
    { why: "that is no text", text: "\u0089PNG\r\n\u001a\n" },
  ])("that is no session is refused by its first line and left as it is: $why", async ({ text }) => {
    writeFileSync(file(), text);
    const repository = createJsonlRepository({ folder });
    for (const readonly of [true, false]) {
      await expect(repository.open("s", { readonly })).rejects.toMatchObject({
        kind: "damaged",
        details: { at: `${file()}:1` },
      });
    }
    expect(await repository.list()).toEqual([]);
    expect(readFileSync(file(), "utf8")).toBe(text);
  });

  it("that lost its header is read, not written, and repaired with the original kept", async () => {
    put(HEADER.slice(0, 30), line(1, null), line(2, 1), "");
    const original = readFileSync(file());
    const seen = await see({ readonly: true });
    expect(seen.texts).toEqual(["text 1", "text 2"]);
    expect(reasons(seen)[0]).toBe("unreadable :1");
    const repository = createJsonlRepository({ folder });
    await expect(repository.open("s")).rejects.toMatchObject({ kind: "damaged" });
    const { entries, backup } = await repository.repair("s");
    expect(entries).toBe(2);
    expect(readFileSync(backup).equals(original)).toBe(true);
    expect((await see({ add: "on" })).texts).toEqual(["text 1", "text 2", "on"]);
    expect((await repository.list()).map(({ id }) => id)).toEqual(["s"]);
  });

  it("that is repaired has no damage any more and shows the same", async () => {
    put(HEADER, line(1, null), "%%%", line(4, 3), line(5, 4), '{"id":"m6');
    const before = await see({ readonly: true });
    const repository = createJsonlRepository({ folder });
    const { damage } = await repository.repair("s");
    expect(damage.map(({ reason }) => reason).sort()).toEqual(["missing", "orphan", "torn", "unreadable"]);
    const after = await see();
    expect(after.texts).toEqual(before.texts);
    const again = await repository.repair("s");
    expect(again.backup).not.toBe((await repository.repair("s")).backup);
    mkdirSync(join(folder, "x"));
    copyFileSync(file(), join(folder, "x", "s.jsonl"));
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });
});

describe("what a request needs of a damaged session", () => {
  const calls = (...ids: readonly string[]) =>
    messageAssistant(
      ids.map((callId) => ({ type: "toolCall", callId, name: "write", arguments: { path: callId } })),
    );

  it.each([
    {
      why: "a call without a result",
      lines: [
        line(1, null),
        line(2, 1, calls("k1", "k2")),
        line(3, 2, messageToolResult({ callId: "k1", content: "ok" })),
      ],
    },
    {
      why: "a result without a call",
      lines: [line(1, null), line(3, 1, messageToolResult({ callId: "k1", content: "ok" }))],
    },
    {
      why: "results around a message",
      lines: [
        line(1, null),
        line(2, 1, calls("k1", "k2")),
        line(3, 2, messageToolResult({ callId: "k2", content: "ok" })),
        line(4, 3),
        line(5, 4, messageToolResult({ callId: "k1", content: "ok" })),
      ],
    },
  ])(
    "is paired in the request, three starts in a row, and nothing is written for it: $why",
    async ({ lines }) => {
      put(HEADER, ...lines, "");
      const before = readFileSync(file(), "utf8");
      for (let start = 0; start < 3; start += 1) {
        const { items } = await see();
        const view = requestView([...items, messageUser("go on")]);
        const open = new Set<unknown>();
        for (const message of view) {
          if (message.type === 4) expect(open.delete(message.callId)).toBe(true);
          else expect(open.size).toBe(0);
          for (const block of message.content) if (block.type === "toolCall") open.add(block.callId);
        }
        expect(open.size).toBe(0);
      }
      expect(readFileSync(file(), "utf8")).toBe(before);
    },
  );

  it("half an emoji is mended when it is read, and no other character changes", async () => {
    put(HEADER, line(1, null).replace("text 1", "é🙂 a\\u0000b cut here \\ud83d"), "");
    expect((await see()).texts).toEqual(["é🙂 a\u0000b cut here \ufffd"]);
    const assembler = createAssembler();
    assembler.push({ type: "text_delta", contentIndex: 0, text: "x\udc00y" });
    assembler.push({ type: "done" });
    expect(readFileSync(file(), "utf8").isWellFormed()).toBe(true);
  });
});
