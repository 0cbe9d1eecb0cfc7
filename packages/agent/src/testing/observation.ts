import { ConformanceFailure } from "@ashlar/io/testing";
import { toolModules } from "./pack-folder.js";
import {
  type CallReply,
  type DescribedEntry,
  type ImportReply,
  isCallReply,
  isImportReply,
  type SampleClaim,
} from "./pack-message.js";
import { type PackRun, runPackProcess } from "./pack-process.js";
import { makePlayground, type Playground } from "./playground.js";
import type { SampleCall, ToolPackSubject } from "./subject.js";

/** A host gives up a module that takes longer. */
export const IMPORT_LIMIT_MS = 5_000;
const CALL_LIMIT_MS = 20_000;

/** What the processes of one import or one call did. */
export interface Observation<Reply> {
  readonly reply: Reply | undefined;
  /** Why there is no reply, with what was printed. */
  readonly ending: string;
  readonly printed: string;
  /** What changed in the playground, relative to its root. */
  readonly changed: readonly string[];
  /** The agent folder of the call. */
  readonly agentFolder: string;
}

export interface ModuleObservation extends Observation<ImportReply> {
  readonly file: string;
}

/** A tool that is described, and the module that does. */
export interface FoundTool {
  readonly file: string;
  readonly entry: DescribedEntry;
}

export interface CallOptions {
  readonly writable: boolean;
  /** Default: not at all. */
  readonly abortAfterMs?: number;
  readonly limitMs?: number;
  /** Default: those of the sample. */
  readonly args?: Readonly<Record<string, unknown>>;
}

const modulesOf = new WeakMap<ToolPackSubject, Promise<readonly ModuleObservation[]>>();
const callsOf = new WeakMap<SampleCall, Promise<Observation<CallReply>>>();

/** Imports each module of the package once, in a process of its own. */
export function observeModules(subject: ToolPackSubject): Promise<readonly ModuleObservation[]> {
  const known = modulesOf.get(subject) ?? importAll(subject);
  modulesOf.set(subject, known);
  return known;
}

/** Makes a sample call once, where it may write. */
export function observeCall(subject: ToolPackSubject, sample: SampleCall): Promise<Observation<CallReply>> {
  const known = callsOf.get(sample) ?? makeCall(subject, sample, { writable: true });
  callsOf.set(sample, known);
  return known;
}

/** Makes a sample call as the options say. */
export async function makeCall(
  subject: ToolPackSubject,
  sample: SampleCall,
  { writable, abortAfterMs, limitMs = CALL_LIMIT_MS, args = sample.args }: CallOptions,
): Promise<Observation<CallReply>> {
  const { file, entry } = await toolOf(subject, sample);
  return inPlayground(subject, async (playground) => {
    const run = await runPackProcess(
      {
        task: "call",
        file,
        tool: sample.tool,
        args,
        folder: playground.agentFolder,
        settings: subject.settings ?? {},
        safe: entry.data.safe === true,
        abortAfterMs: abortAfterMs ?? null,
        limitMs,
      },
      { playground, writable, network: subject.network ?? "none" },
    );
    return observationOf(run, playground, isCallReply);
  });
}

/** What the modules of the package describe. */
export async function describedTools(subject: ToolPackSubject): Promise<readonly FoundTool[]> {
  const modules = await observeModules(subject);
  return modules.flatMap(({ file, reply }) => (reply?.tools ?? []).map((entry) => ({ file, entry })));
}

export async function toolOf(subject: ToolPackSubject, { tool }: SampleCall): Promise<FoundTool> {
  const found = (await describedTools(subject)).find(({ entry }) => entry.name === tool);
  if (found === undefined) throw new ConformanceFailure(`a module that describes the tool ${tool}`, "none");
  return found;
}

/** What the tool's own functions say of a sample call. */
export async function claimOf(subject: ToolPackSubject, sample: SampleCall): Promise<SampleClaim> {
  const { entry } = await toolOf(subject, sample);
  const place = subject.calls.indexOf(sample);
  return entry.claims.find((claim) => claim.sample === place) ?? { sample: place };
}

async function importAll(subject: ToolPackSubject): Promise<readonly ModuleObservation[]> {
  const observed: ModuleObservation[] = [];
  for (const file of await toolModules(subject.folder)) observed.push(await importModule(subject, file));
  return observed;
}

function importModule(subject: ToolPackSubject, file: string): Promise<ModuleObservation> {
  return inPlayground(subject, async (playground) => {
    const run = await runPackProcess(
      {
        task: "import",
        file,
        folder: playground.agentFolder,
        settings: subject.settings ?? {},
        samples: subject.calls.map(({ tool, args }) => ({ tool, args })),
        limitMs: IMPORT_LIMIT_MS,
      },
      { playground, writable: true, network: "none" },
    );
    return { file, ...(await observationOf(run, playground, isImportReply)) };
  });
}

async function observationOf<Reply>(
  { reply, printed, ending }: PackRun,
  playground: Playground,
  isReply: (value: unknown) => value is Reply,
): Promise<Observation<Reply>> {
  const changed = await playground.changed();
  return {
    reply: isReply(reply) ? reply : undefined,
    ending: printed === "" ? ending : `${ending}; it printed ${JSON.stringify(printed)}`,
    printed,
    changed,
    agentFolder: playground.agentFolder,
  };
}

async function inPlayground<Result>(
  { files = {} }: ToolPackSubject,
  work: (playground: Playground) => Promise<Result>,
): Promise<Result> {
  const playground = await makePlayground(files);
  try {
    return await work(playground);
  } finally {
    await playground.remove();
  }
}
