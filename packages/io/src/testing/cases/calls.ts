import { setTimeout } from "node:timers/promises";
import { contentText, type Message, MessageType, type ToolCallBlock } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import type { ConformanceCase } from "../conformance-case.js";
import { within } from "../deadline.js";
import { expectSame, expectThat } from "../expectation.js";
import { frameBytes } from "../frame-bytes.js";
import { Gate } from "../gate.js";
import { callsOf, HELLO, observe } from "../observation.js";
import { pairingIds, regionOf } from "../regions.js";
import { parsedBody } from "../request-body.js";
import type { CallRecording, ExecutedCallRecording, ProviderSubject, RecordedCall } from "../subject.js";

export const READ_TOOL: ToolDescriptor = {
  name: "read_conformance_file",
  description: "Reads one file of the conformance kit.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", description: "Path below the conformance folder." } },
    required: ["path"],
  },
};

const IDLE_MS = 800;
/** Enough for a frame to be read, and well below the idle limit. */
const FRAME_ARRIVES_MS = 150;

export const callCases: readonly ConformanceCase[] = [
  {
    name: "tool-call",
    needs: ["tools"],
    why: "A call whose arguments are not whole cannot be run.",
    run: async (subject) => expectCalls(subject, recorded(subject, "toolCalls")),
  },
  {
    name: "parallel-calls",
    needs: ["tools"],
    why: "Servers repeat indexes and leave out ids; calls that are glued together run the wrong thing or nothing.",
    run: async (subject) => {
      const recordings = recorded(subject, "parallelCalls");
      expectThat(recordings.length > 0, "at least one recording of parallel calls", recordings);
      for (const recording of recordings) await expectCalls(subject, recording);
    },
  },
  {
    name: "cut-arguments",
    needs: ["tools"],
    why: "Half a call that is repaired writes half a file.",
    run: async (subject) => {
      const { terminal } = await observe(subject, {
        frames: recorded(subject, "cutArguments").frames,
        tools: [READ_TOOL],
      });
      if (terminal.type === "error") return;
      const cut = callsOf(terminal).filter((call) => typeof call.arguments === "string");
      expectThat(
        cut.length > 0 || (callsOf(terminal).length === 0 && terminal.doneReason === "length"),
        "the cut arguments as raw text, or no call and the reason `length`, or an error",
        terminal,
      );
    },
  },
  {
    name: "executed-calls",
    needs: ["executedCalls"],
    why: "A call that the provider ran must never run again here, and must keep its result.",
    run: async (subject) => {
      const recording = recorded(subject, "executedCalls");
      const { terminal } = await observe(subject, { frames: recording.frames });
      expectExecuted(recording, callsOf(terminal));
      const results = (terminal.results ?? []).map((result) => contentText(result));
      expectSame(
        "the results, in the order of the calls",
        recording.calls.map(({ result }) => result),
        results,
      );
    },
  },
  {
    name: "executed-calls-keep-waiting",
    needs: ["executedCalls"],
    why: "While the provider runs a call nothing comes; that silence is work, not a hang.",
    run: async (subject) => {
      const recording = recorded(subject, "executedCalls");
      let open = new Gate();
      let waited = false;
      const silence = async (): Promise<void> => {
        if (waited || (await within(open.opened, FRAME_ARRIVES_MS)) !== true) return;
        waited = true;
        await setTimeout(IDLE_MS * 2);
      };
      const { terminal } = await observe(subject, {
        timeouts: { idleMs: IDLE_MS },
        onEvent: (event) => {
          if (event.type === "tool_call_start" && event.executed === true) open.open();
          if (event.type === "tool_call_result") open = new Gate();
        },
        reply: { writes: frameBytes(subject.wire, recording.frames), before: silence },
      });
      expectThat(waited, "a call that is open while its result is awaited", terminal);
      expectThat(terminal.type === "done", "the answer after the provider's silence", terminal);
    },
  },
  {
    name: "tool-results",
    needs: ["tools"],
    why: "A result that is not paired with its call ends the conversation with status 400, for good.",
    run: roundTrip,
  },
  {
    name: "tools-offered",
    needs: ["tools"],
    why: "A model calls only what it is told of.",
    run: async (subject) => {
      const { requests } = await observe(subject, {
        frames: subject.wire.recordings.text.frames,
        tools: [READ_TOOL],
      });
      const body = requests.at(-1)?.body ?? "";
      for (const told of [READ_TOOL.name, READ_TOOL.description, "Path below the conformance folder."]) {
        expectThat(body.includes(told), `${JSON.stringify(told)} in the request`, body);
      }
    },
  },
];

/** The recording, which a provider that says its models call tools must have. */
function recorded<Name extends "toolCalls" | "parallelCalls" | "cutArguments" | "executedCalls">(
  { wire }: ProviderSubject,
  name: Name,
): NonNullable<ProviderSubject["wire"]["recordings"][Name]> {
  const recording = wire.recordings[name];
  expectThat(
    recording !== undefined,
    `the recording \`${name}\`, because the provider's models call tools`,
    "none",
  );
  return recording;
}

async function expectCalls(
  subject: ProviderSubject,
  { frames, calls, why = "calls" }: CallRecording,
): Promise<void> {
  const { terminal } = await observe(subject, { frames, tools: [READ_TOOL] });
  expectThat(terminal.type === "done", `the terminal event done (${why})`, terminal);
  expectSame(why, calls, callsOf(terminal).map(plainCall));
  expectThat(
    callsOf(terminal).every(({ executed }) => executed !== true),
    `calls for us to run (${why})`,
    terminal,
  );
}

function expectExecuted({ calls }: ExecutedCallRecording, came: readonly ToolCallBlock[]): void {
  expectSame("calls", calls.map(plainCall), came.map(plainCall));
  expectThat(
    came.every(({ executed }) => executed === true),
    "calls that are marked executed",
    came,
  );
}

function plainCall({ name, arguments: value }: RecordedCall): RecordedCall {
  return { name, arguments: value };
}

/** Two calls of one tool and their results, as the next request carries them. */
async function roundTrip(subject: ProviderSubject): Promise<void> {
  const { requests } = await observe(subject, {
    frames: subject.wire.recordings.text.frames,
    tools: [READ_TOOL],
    context: answered(["kit-1", "kit-2"]),
  });
  const body = parsedBody(requests.at(-1));
  const calls = { first: "alpha-asked.txt", second: "beta-asked.txt" };
  const results = { first: "alpha result text", second: "beta result text" };
  for (const marker of [...Object.values(calls), ...Object.values(results)]) {
    expectThat(regionOf(body, marker) !== undefined, `${JSON.stringify(marker)} once in the request`, body);
  }
  const text = JSON.stringify(body);
  expectThat(
    text.indexOf(results.first) < text.indexOf(results.second),
    "results in the order of their calls",
    body,
  );
  if (subject.wire.pairing === "order") return;
  const ids = pairingIds(
    body,
    { call: calls.first, result: results.first },
    { call: calls.second, result: results.second },
  );
  expectThat(ids !== undefined, "an id that each result shares with its own call only", body);
}

function answered(ids: readonly [string, string]): readonly Message[] {
  const call = (callId: string, path: string): ToolCallBlock => ({
    type: "toolCall",
    callId,
    name: READ_TOOL.name,
    arguments: { path },
  });
  const result = (callId: string, text: string): Message => ({
    type: MessageType.toolResult,
    callId,
    name: READ_TOOL.name,
    content: [{ type: "text", text }],
  });
  return [
    ...HELLO,
    {
      type: MessageType.assistant,
      content: [call(ids[0], "alpha-asked.txt"), call(ids[1], "beta-asked.txt")],
    },
    result(ids[0], "alpha result text"),
    result(ids[1], "beta result text"),
  ];
}
