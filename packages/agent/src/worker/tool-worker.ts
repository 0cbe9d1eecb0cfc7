import type { WorkerChannel } from "@ashlar/sandbox";
import { readToolError, readToolValue, type ToolAnswer } from "../loop/tool-value.js";
import { NO_LAST_WORD, WorkerCall } from "./worker-call.js";
import type { DescribeMessage, HostMessage, WorkerMessage, WorkerRequest } from "./worker-message.js";

/*
 * The program of a tool's process, inside the sandbox: takes one request, imports the one module it names, says one
 * result, and leaves. Standard output and error are the tool's own.
 */

// A tool may replace what it finds in `process`; this program leaves by what was there at its start.
const leave = process.exit.bind(process);

/** Serves the one request that comes over the channel. */
export default function serve(channel: WorkerChannel): void {
  const send = (message: WorkerMessage): void => channel.send(message);
  let call: WorkerCall | undefined;
  channel.onMessage((value) => {
    // The host writes these messages, and both sides are the same version of this package.
    const message = value as WorkerRequest | HostMessage;
    if (message.type === "call") {
      call = new WorkerCall(message, send);
      void finishWith(call.value, send);
    } else if (message.type === "describe") void describe(message, send);
    else call?.receive(message);
  });
}

/** An ordinary failure is a result, too, and the process ends with 0. */
async function finishWith(value: Promise<unknown>, send: (message: WorkerMessage) => void): Promise<void> {
  try {
    finish(resultOf(await value), send);
  } catch (error) {
    const { content, system } = readToolError(error);
    finish({ ok: false, error: textOf(content), ...(system.length > 0 && { system }) }, send);
  }
}

async function describe(
  { files, projectCwd, settings }: DescribeMessage,
  send: (message: WorkerMessage) => void,
): Promise<void> {
  const { describeModule } = await import("@ashlar/env/describe-module");
  const env = { cwd: projectCwd, settings };
  finish({ ok: true, value: await Promise.all(files.map((file) => describeModule(file, env))) }, send);
}

/** `undefined` from `onTimeout` is no last word; from the tool itself it is a result without output. */
function resultOf(value: unknown): WorkerMessage {
  if (value === NO_LAST_WORD) return { ok: true };
  return { ok: true, value: payloadOf(readToolValue(value)) };
}

/** Plain JSON that the host reads to the same answer, whatever the tool returned: cycles, bytes, nothing. */
function payloadOf({ content, error, system, display }: ToolAnswer): unknown {
  if (error) return { isError: true, content };
  return { result: content, system, ...(display !== undefined && { display }) };
}

function textOf(content: ToolAnswer["content"]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}

/** The result is written before this returns, so nothing of it is lost. One that is too long becomes a failure. */
function finish(message: WorkerMessage, send: (message: WorkerMessage) => void): void {
  try {
    send(message);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    send({ ok: false, error: `The result could not be sent: ${reason}.` });
  }
  leave(0);
}
