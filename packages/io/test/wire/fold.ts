import {
  type AssistantMessage,
  createAssembler,
  type ResponseEvent,
  type TerminalEvent,
} from "@ashlar/context";
import type { WireContext } from "@ashlar/context/provider";
import type { Wire } from "../../src/wire/wire.js";
import { wireContext } from "./wire-context.js";

export interface Folded {
  readonly events: readonly ResponseEvent[];
  readonly message: AssistantMessage;
  readonly terminal: TerminalEvent | undefined;
}

/** Runs frames through a wire, then the end of the stream, and assembles what came. */
export function fold(wire: Wire, frames: readonly unknown[], io: WireContext = wireContext()): Folded {
  const state = {};
  const assembler = createAssembler();
  const events = [...frames, null].flatMap((frame) => wire.msg2events(frame, state, io));
  for (const event of events) assembler.push(event);
  const terminals = events.filter((event) => event.type === "done" || event.type === "error");
  if (terminals.length > 1) throw new Error(`more than one terminal event: ${JSON.stringify(terminals)}`);
  return { events, message: assembler.message(), terminal: terminals[0] };
}

/** The data of each event of an SSE body as a wire gets it: parsed, and `[DONE]` as null. */
export function sseFrames(body: string): readonly unknown[] {
  return body
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice("data:".length).trim())
    .map((data): unknown => (data === "[DONE]" ? null : JSON.parse(data)));
}
