import { resolve } from "node:path";
import { expectNone, expectThat } from "../expectation.js";
import { claimOf, makeCall, type Observation, observeCall, toolOf } from "../observation.js";
import type { Attempt, CallReply } from "../pack-message.js";
import { callText } from "../sample-call.js";
import type { SampleCall, ToolPackSubject } from "../subject.js";
import type { ToolPackCase } from "../tool-pack-case.js";

const AGENT_FOLDER = "agent/";
/** Private to a call and gone with it. */
const TEMPORARY = "/tmp/";

export const changeCases: readonly ToolPackCase[] = [
  {
    name: "confinement",
    needs: "sandbox",
    why: "A call is allowed to change the agent's folder, and its sandbox refuses everything else.",
    run: async (subject) => {
      for (const sample of subject.calls) {
        const { changed, reply, agentFolder } = await observeCall(subject, sample);
        const outside = changed.filter((path) => !path.startsWith(AGENT_FOLDER));
        expectNone(`a call ${callText(sample)} that writes in the agent folder only`, outside);
        const refused = writesOf(reply).filter(({ target }) => !isAllowed(target, agentFolder));
        expectNone(
          `a call ${callText(sample)} that writes in the agent folder only`,
          refused.map(attemptText),
        );
      }
    },
  },
  {
    name: "changes",
    needs: "sandbox",
    why: "People agree to what a call says it changes.",
    run: async (subject) => {
      for (const sample of subject.calls) {
        const { changed } = await observeCall(subject, sample);
        const came = changed.filter((path) => path.startsWith(AGENT_FOLDER)).map(inAgentFolder);
        const said = sample.changes ?? [];
        const unsaid = came.filter((path) => !said.some((name) => belongsTo(path, name)));
        expectNone(`a call ${callText(sample)} that changes ${JSON.stringify(said)} only`, unsaid);
        const missed = said.filter((name) => !came.includes(name));
        expectNone(
          `a call ${callText(sample)} that changes ${JSON.stringify(said)}; it leaves as they were`,
          missed,
        );
      }
    },
  },
  {
    name: "safe-tools",
    needs: "sandbox",
    why: "A tool that says safe runs without asking, beside others, and where nothing can be written.",
    run: async (subject) => {
      for (const sample of subject.calls) {
        const { entry } = await toolOf(subject, sample);
        if (entry.data.safe === true) await expectChangesNothing(subject, sample);
      }
    },
  },
  {
    name: "read-only-claims",
    needs: "sandbox",
    why: "A call that readOnly(args) calls harmless runs as one.",
    run: async (subject) => {
      for (const sample of subject.calls) {
        const { readOnly = false } = await claimOf(subject, sample);
        expectThat(
          typeof readOnly === "boolean",
          `readOnly(args) to say what ${callText(sample)} does`,
          readOnly,
        );
        if (readOnly) await expectChangesNothing(subject, sample);
      }
    },
  },
  {
    name: "named-writes",
    needs: "sandbox",
    why: "The host keeps what writes(args) names, so that a call can be undone, and nothing else.",
    run: async (subject) => {
      for (const sample of subject.calls) {
        const { writes } = await claimOf(subject, sample);
        if (writes === undefined) continue;
        expectThat(
          typeof writes !== "string",
          `writes(args) to name what ${callText(sample)} writes`,
          writes,
        );
        const { changed, agentFolder } = await observeCall(subject, sample);
        const named = writes.map((path) => resolve(agentFolder, path));
        const forgotten = changed.filter((path) => {
          const full = resolve(agentFolder, "..", path);
          return !named.some((name) => belongsTo(full, name));
        });
        expectNone(`writes(args) to name all that ${callText(sample)} writes`, forgotten);
      }
    },
  },
];

/** First where it could write, so that one is caught that only tries; then where it cannot, as a host runs it. */
async function expectChangesNothing(subject: ToolPackSubject, sample: SampleCall): Promise<void> {
  const expected = `a call ${callText(sample)} that changes nothing`;
  for (const observe of [observeCall, makeReadOnlyCall]) {
    const { changed, reply, ending } = await observe(subject, sample);
    expectNone(expected, changed);
    expectNone(expected, (reply?.attempts ?? []).map(attemptText));
    const works = `a call ${callText(sample)} that works on a read-only disk`;
    expectThat(reply !== undefined, works, ending);
    const outcome = sample.throws === undefined ? "returned" : "threw";
    expectThat(reply.outcome === outcome, works, reply.error ?? reply.outcome);
  }
}

function makeReadOnlyCall(subject: ToolPackSubject, sample: SampleCall): Promise<Observation<CallReply>> {
  return makeCall(subject, sample, { writable: false });
}

/** A process that the call starts is no file. */
function writesOf(reply: CallReply | undefined): readonly Attempt[] {
  return (reply?.attempts ?? []).filter(({ target }) => target.startsWith("/"));
}

function isAllowed(target: string, agentFolder: string): boolean {
  const isTemporary = target.startsWith(TEMPORARY) && !target.startsWith(resolve(agentFolder, ".."));
  return isTemporary || target === agentFolder || target.startsWith(`${agentFolder}/`);
}

function attemptText({ by, target }: Attempt): string {
  return `${by} of ${target}`;
}

function inAgentFolder(path: string): string {
  return path.slice(AGENT_FOLDER.length);
}

/** True for `name` itself, the folders above it and what lies in it. */
function belongsTo(path: string, name: string): boolean {
  return path === name || name.startsWith(`${path}/`) || path.startsWith(`${name}/`);
}
