import { Socket } from "node:net";
import type { Answer, QuestionBridge, ToolContext, ToolEnv } from "@ashlar/context/tool";
import { describeModule, failureText, loadToolModule } from "./describe-module.js";
import { createMessageLines } from "./isolation/message-lines.js";
import type { WorkerAnswer, WorkerLine, WorkerRequest } from "./isolation/worker-message.js";

/**
 * The program of a tool process: reads one request line on descriptor 4, imports the module it names, writes lines on
 * descriptor 3, and leaves after the result is flushed. Standard output and error are the tool's own.
 */
const REQUEST_FD = 4;
const REPLY_FD = 3;
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const reply = new Socket({ fd: REPLY_FD, readable: false, writable: true });
const input = new Socket({ fd: REQUEST_FD, readable: true, writable: false });
const lines = createMessageLines(MAX_MESSAGE_BYTES);
const waiting = new Map<number, (answers: readonly Answer[] | null) => void>();
let started = false;

input.on("data", (chunk) => {
  for (const line of lines.push(chunk)) receive(line);
});
// The host is gone: nobody is left to hear a result.
input.on("close", () => process.exit(1));
reply.on("error", () => process.exit(1));

function receive(line: string): void {
  // The host writes these lines; both sides are the same version of this package.
  const message = JSON.parse(line) as WorkerRequest | WorkerAnswer;
  if (message.type === "answer") {
    waiting.get(message.id)?.(message.answers);
    waiting.delete(message.id);
  } else if (!started) {
    started = true;
    void serve(message);
  }
}

async function serve(request: WorkerRequest): Promise<void> {
  try {
    if (request.readOnly && process.permission?.has("fs.write") !== false) {
      throw new Error("this process could write files, so no tool is loaded in it");
    }
    finish({ type: "result", ok: true, value: await answerTo(request) });
  } catch (cause) {
    finish({ type: "result", ok: false, error: failureText(cause), ...systemOf(cause) });
  }
}

function answerTo(request: WorkerRequest): Promise<unknown> {
  const env: ToolEnv = { cwd: request.cwd, settings: request.settings };
  if (request.type === "call") return call(request, env);
  return Promise.all(request.files.map((file) => describeModule(file, env)));
}

async function call(request: Extract<WorkerRequest, { type: "call" }>, env: ToolEnv): Promise<unknown> {
  const { entries } = await loadToolModule(request.file, env);
  const entry = entries.find(({ info }) => info.name === request.name);
  if (entry === undefined) throw new Error(`${request.file} no longer describes ${request.name}`);
  const context: ToolContext = {
    env,
    signal: new AbortController().signal, // the host ends a cancelled call by ending this process
    deadline: request.deadline,
    call: { callId: request.callId, name: request.name },
    agent: { folder: request.folder },
    safe: request.safe,
    question: request.questionBridge ? bridge() : null,
    onData: (data) => send({ type: "data", data: String(data) }),
  };
  return entry.run(request.args, context);
}

function bridge(): QuestionBridge {
  let next = 0;
  return {
    ask: async (questions) => {
      const id = next;
      next += 1;
      send({ type: "ask", id, questions });
      const answers = await new Promise<readonly Answer[] | null>((resolve) => waiting.set(id, resolve));
      if (answers === null) throw new Error("nobody is there to answer");
      return answers;
    },
  };
}

function send(line: WorkerLine): void {
  reply.write(`${text(line)}\n`);
}

function finish(line: WorkerLine): void {
  reply.write(`${text(line)}\n`, () => process.exit(0));
}

/** A value that is no JSON falls back to its text. */
function text(line: WorkerLine): string {
  try {
    return JSON.stringify(line);
  } catch {
    // Cyclic values and big integers have no JSON; the result still has to arrive.
    return JSON.stringify({ ...line, value: "value" in line ? String(line.value) : undefined });
  }
}

function systemOf(cause: unknown): { readonly system?: unknown } {
  return cause instanceof Error && "system" in cause ? { system: cause.system } : {};
}
