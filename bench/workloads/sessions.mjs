#!/usr/bin/env node
// Sessions on disk. `node bench/workloads/sessions.mjs [--runs 5] [--messages 100000]` prints a table; each figure comes
// from a fresh process, the stores take turns, and ratios are paired run by run with the floor of the same task.
// One measurement: node --expose-gc sessions.mjs one STORE TASK FOLDER MESSAGES
import { spawnSync } from "node:child_process";
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { median } from "../table.mjs";

const here = fileURLToPath(import.meta.url);
const packages = join(here, "../../../packages");
const PI = join(
  here,
  "../../peers/pi-sessions/node_modules/@mariozechner/pi-coding-agent/dist/core/session-manager.js",
);

/** Bytes of text in a message: 100,000 of them make about 120 MB. */
const TEXT_BYTES = 1_050;
const SHOWN = 2_000;
const SESSIONS = 1_000;

const filler = Array.from(
  { length: TEXT_BYTES },
  (_, index) => 'the quick "brown" fox\n jumps over '[index % 33],
).join("");
const textOf = (index) => `m${index} ${filler}`;

const messageOf = (index) => ({ type: index % 2 ? 3 : 2, content: [{ type: "text", text: textOf(index) }] });

const check = (ok, why) => {
  if (!ok) throw new Error(`check: ${why}`);
};

async function ashlar() {
  const context = await import(pathToFileURL(join(packages, "context/dist/index.js")).href);
  const { createJsonlRepository } = await import(
    pathToFileURL(join(packages, "session-jsonl/dist/index.js")).href
  );
  const message = (index) =>
    index % 2 ? context.messageAssistant(textOf(index)) : context.messageUser(textOf(index));
  const at = (folder) => createJsonlRepository({ folder: join(folder, "ashlar") });
  return {
    /** The store alone: each entry is committed by itself. */
    append: async (folder, count) => {
      const store = await at(join(folder, "bare")).create({ id: "s" });
      let parent = null;
      for (let index = 0; index < count; index += 1) {
        const id = index.toString(16).padStart(36, "0");
        await store.append([
          { id, seq: index + 1, parent, at: Date.now(), kind: "message", message: messageOf(index) },
        ]);
        parent = id;
      }
      await store.append([], { durable: true });
      check(store.info.preview !== undefined, "the preview");
      return { done: store.close };
    },
    /** As an agent does it: each message joins a conversation that is held, and is committed by itself. */
    talk: async (folder, count) => {
      const conversation = await context.Context.open({ store: await at(folder).create({ id: "s" }) });
      for (let index = 0; index < count; index += 1) {
        conversation.append(message(index));
        await conversation.flush();
      }
      await conversation.flush({ durable: true });
      check(conversation.length === count, `${conversation.length} messages`);
      return { done: () => conversation.close() };
    },
    /** Compacts so that the last messages stay; not measured. */
    compact: async (folder) => {
      const conversation = await context.Context.open({ store: await at(folder).open("s") });
      conversation.compact({
        firstKept: conversation.length - SHOWN + 1,
        summary: context.messageUser("summary"),
      });
      await conversation.close();
    },
    pass: async (folder, count) => {
      const store = await at(folder).open("s", { readonly: true });
      let seen = 0;
      for await (const { kind } of store.read()) if (kind === "message") seen += 1;
      check(seen === count, `${seen} entries`);
    },
    open: async (folder) => {
      const conversation = await context.Context.open({
        store: await at(folder).open("s", { readonly: true }),
      });
      check(conversation.length === SHOWN, `${conversation.length} items`);
    },
    list: async (folder) => {
      const found = await at(join(folder, "many")).list({ limit: SESSIONS });
      check(found.length === SESSIONS && found[0].preview !== undefined, `${found.length} sessions`);
    },
    fork: async (folder) => {
      const repository = at(join(folder, "small"));
      const fork = await repository.fork("s");
      check(fork.parent.session === "s", "the fork's parent");
      await repository.delete(fork.id);
    },
    /** What `list` and `fork` look at; not measured. */
    prepare: async (folder) => {
      const many = at(join(folder, "many"));
      for (let index = 0; index < SESSIONS; index += 1) {
        const store = await many.create({ cwd: "/p" });
        const conversation = await context.Context.open({ store });
        for (let count = 0; count < 20; count += 1) conversation.append(message(count));
        await conversation.close();
      }
      const small = await context.Context.open({
        store: await at(join(folder, "small")).create({ id: "s" }),
      });
      for (let count = 0; count < SHOWN; count += 1) small.append(message(count));
      await small.close();
    },
  };
}

/** The floor: JSON.stringify and one write for each message; a stream, a split and JSON.parse to read. */
async function raw() {
  const fileIn = (folder) => join(folder, "raw.jsonl");
  return {
    append: async (folder, count) => {
      const descriptor = openSync(fileIn(folder), "a");
      for (let index = 0; index < count; index += 1) {
        const message = messageOf(index);
        const entry = {
          id: index.toString(16).padStart(36, "0"),
          seq: index + 1,
          parent: index.toString(16).padStart(36, "0"),
          at: Date.now(),
          kind: "message",
          message,
        };
        writeSync(descriptor, `${JSON.stringify(entry)}\n`);
      }
      check(statSync(fileIn(folder)).size > count * TEXT_BYTES, "the file's size");
    },
    pass: async (folder, count) => {
      let seen = 0;
      let rest = "";
      for await (const chunk of createReadStream(join(folder, "ashlar/s.jsonl"), {
        encoding: "utf8",
        highWaterMark: 1 << 20,
      })) {
        rest += chunk;
        let start = 0;
        for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n", start)) {
          if (JSON.parse(rest.slice(start, end)).kind === "message") seen += 1;
          start = end + 1;
        }
        rest = rest.slice(start);
      }
      check(seen === count, `${seen} entries`);
    },
  };
}

async function pi() {
  const { SessionManager } = await import(pathToFileURL(PI).href);
  const usage = {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const message = (index) =>
    index % 2
      ? {
          role: "assistant",
          content: [{ type: "text", text: textOf(index) }],
          api: "openai-completions",
          provider: "local",
          model: "m",
          usage,
          stopReason: "stop",
          timestamp: 1,
        }
      : { role: "user", content: textOf(index), timestamp: 1 };
  const fill = (folder, count) => {
    mkdirSync(folder, { recursive: true });
    const manager = SessionManager.create("/p", folder);
    for (let index = 0; index < count; index += 1) manager.appendMessage(message(index));
    return manager;
  };
  return {
    talk: async (folder, count) => {
      check(existsSync(fill(join(folder, "pi"), count).getSessionFile()), "the file");
    },
    pass: async (folder, count) => {
      const manager = SessionManager.continueRecent("/p", join(folder, "pi"));
      check(manager.buildSessionContext().messages.length === count, "the messages");
    },
    list: async (folder) => {
      const found = await SessionManager.list("/p", join(folder, "pi-many"));
      check(found.length === SESSIONS, `${found.length} sessions`);
    },
    prepare: async (folder) => {
      for (let index = 0; index < SESSIONS; index += 1) fill(join(folder, "pi-many"), 20);
    },
  };
}

const STORES = { ashlar, raw, pi };

async function one(name, task, folder, count) {
  const store = await STORES[name]();
  globalThis.gc();
  const start = process.cpuUsage();
  const began = performance.now();
  const result = await store[task](folder, count);
  const { user, system } = process.cpuUsage(start);
  const figures = {
    cpuMs: (user + system) / 1000,
    wallMs: performance.now() - began,
    peakMB: process.resourceUsage().maxRSS / 1024,
  };
  await result?.done?.();
  process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
}

function measured(...args) {
  const { stdout, stderr } = spawnSync(process.execPath, ["--expose-gc", here, "one", ...args.map(String)], {
    encoding: "utf8",
    timeout: 300_000,
  });
  const line = stdout.trim().split("\n").at(-1);
  if (!line?.startsWith("{"))
    throw new Error(`${args.join(" ")}: ${stderr.trim().split("\n").slice(-4).join(" | ")}`);
  return JSON.parse(line);
}

const TASKS = [
  {
    task: "append",
    stores: ["ashlar", "raw"],
    unit: "µs CPU a message",
    figure: ({ cpuMs }, count) => (cpuMs * 1000) / count,
  },
  {
    task: "talk",
    stores: ["ashlar", "pi"],
    unit: "µs CPU a message",
    figure: ({ cpuMs }, count) => (cpuMs * 1000) / count,
  },
  { task: "pass", stores: ["ashlar", "raw", "pi"], unit: "ms CPU", figure: ({ cpuMs }) => cpuMs },
  { task: "open", stores: ["ashlar"], unit: "ms CPU", figure: ({ cpuMs }) => cpuMs },
  { task: "list", stores: ["ashlar", "pi"], unit: "ms CPU", figure: ({ cpuMs }) => cpuMs },
  { task: "fork", stores: ["ashlar"], unit: "ms CPU", figure: ({ cpuMs }) => cpuMs },
];

/** The whole workload as a Markdown table. */
export async function sessions({ runs = 5, messages = 100_000 } = {}) {
  const available = existsSync(PI) ? ["ashlar", "raw", "pi"] : ["ashlar", "raw"];
  const rows = new Map();
  for (let run = 0; run < runs; run += 1) {
    const folder = mkdtempSync(join(tmpdir(), "ashlar-bench-sessions-"));
    try {
      for (const store of available) if (store !== "raw") measured(store, "prepare", folder, 0);
      for (const { task, stores, figure } of TASKS) {
        const turn = stores.filter((store) => available.includes(store));
        if (task === "open") measured("ashlar", "compact", folder, messages);
        for (const store of run % 2 ? turn.toReversed() : turn) {
          const figures = measured(store, task, folder, messages);
          const key = `${task} ${store}`;
          rows.set(key, [
            ...(rows.get(key) ?? []),
            { value: figure(figures, messages), peakMB: figures.peakMB },
          ]);
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    process.stderr.write(`sessions: round ${run + 1} of ${runs}\n`);
  }
  return table(rows, messages);
}

function table(rows, messages) {
  const lines = TASKS.flatMap(({ task, stores, unit }) =>
    stores.flatMap((store) => {
      const own = rows.get(`${task} ${store}`);
      if (own === undefined) return [];
      const floor = rows.get(`${task} raw`);
      const ratio =
        floor === undefined
          ? "–"
          : `${median(own.map(({ value }, run) => value / floor[run].value)).toFixed(2)}×`;
      const values = own.map(({ value }) => value);
      const range = `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)}–${Math.max(...values).toFixed(1)})`;
      return [
        `| ${task} | ${store} | ${range} | ${unit} | ${ratio} | ${median(own.map(({ peakMB }) => peakMB)).toFixed(0)} |`,
      ];
    }),
  );
  return [
    `### Sessions of ${messages} messages`,
    "",
    "| task | store | median (min–max) | unit | ratio to floor | peak MB |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}

if (process.argv[1] === here) {
  const [, , first, ...rest] = process.argv;
  if (first === "one") await one(rest[0], rest[1], rest[2], Number(rest[3]));
  else {
    const { values } = parseArgs({
      options: { runs: { type: "string", default: "5" }, messages: { type: "string", default: "100000" } },
    });
    console.log(await sessions({ runs: Number(values.runs), messages: Number(values.messages) }));
  }
}
