import type { IsolatedRun } from "../isolation/isolation.js";
import type { RunnableCall } from "./call-check.js";
import { liveOutput, pausing } from "./call-context.js";
import { callServices } from "./call-services.js";
import { type DeadlineResult, runWithDeadline, type WorkLimit } from "./deadline.js";
import { TIMEOUT_GRACE_MS, type ToolHost } from "./tool-host.js";

/** Runs a call in the sandbox. When this settles, nothing of it is left. */
export async function runIsolated(
  call: RunnableCall,
  host: ToolHost,
  live: { readonly open: boolean },
): Promise<DeadlineResult<unknown>> {
  const { tool, timeoutMs } = call;
  let started: Promise<IsolatedRun> | undefined;
  try {
    return await runWithDeadline<unknown>({
      work: async (limit) => {
        started = start(call, host, { limit, live });
        return (await started).result;
      },
      timeoutMs,
      signal: host.signal,
      onTimeout: tool.onTimeout && (async () => (await started)?.lastWord()),
      graceMs: TIMEOUT_GRACE_MS,
    });
  } finally {
    // A start that failed left nothing, and has said so to whoever waited for the result.
    const run = await started?.catch(() => undefined);
    await run?.end();
  }
}

function start(
  { block, tool, args, readOnly }: RunnableCall,
  host: ToolHost,
  life: { readonly limit: WorkLimit; readonly live: { readonly open: boolean } },
): Promise<IsolatedRun> {
  const { question, sandbox } = host;
  const { callId } = block;
  if (tool.file === undefined) throw new TypeError(`${tool.name} is no module file`);
  return sandbox.start({
    file: tool.file,
    name: tool.name,
    args,
    callId,
    safe: readOnly,
    writes: readOnly ? [] : (tool.writes?.(args) ?? []),
    deadline: () => life.limit.deadline(),
    onData: liveOutput(callId, tool.name, host, life),
    services: callServices({
      question: question && pausing(question, life.limit),
      background: readOnly ? undefined : sandbox.background,
      changes: sandbox.journal,
      skills: tool.hostRoot ? host.env : undefined,
    }),
  });
}
