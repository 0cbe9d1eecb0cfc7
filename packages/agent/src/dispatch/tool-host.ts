import type { Context, ToolResultMessage } from "@ashlar/context";
import type { Execution, QuestionBridge, ToolContext, Workers } from "@ashlar/context/tool";
import type { ToolInfo, ToolValidation } from "@ashlar/env";
import type { AgentCapabilities } from "../children/capabilities.js";
import type { WorkerCall } from "../children/worker-call.js";
import type { HookAgent } from "../hooks/interceptor.js";
import type { InterceptorChain } from "../hooks/interceptor-chain.js";
import type { AgentSandbox } from "../isolation/agent-sandbox.js";
import type { ToolDataEvent, ToolExecuteEvent, ToolResultEvent } from "../loop/stream-event.js";
import type { Permissions } from "../permission/permissions.js";
import type { BeginningCall } from "../session/run-journal.js";
import type { TimeoutPolicy } from "./call-timeout.js";

/** What a batch of calls needs of the world. */
export interface ToolHost {
  /** The tools this agent may call, by name. */
  readonly tools: ReadonlyMap<string, ToolInfo>;
  /** Runs what changes nothing, in this process. */
  readonly env: ToolContext["env"] & {
    readonly toolValidate: (name: string, args: unknown) => ToolValidation;
    readonly toolCall: (name: string, args: unknown, context: ToolContext) => Promise<unknown>;
  };
  /** Runs the rest. */
  readonly sandbox: AgentSandbox;
  readonly permissions: Permissions;
  /** Undefined: no hook has a say. */
  readonly interceptors: InterceptorChain | undefined;
  /** The agent, as hooks see it. */
  readonly agent: HookAgent;
  readonly policy: TimeoutPolicy & { readonly concurrency: number };
  /** Milliseconds for a call that asks for none; wins over the policy. */
  readonly timeoutMs: number | undefined;
  readonly can: Readonly<Pick<AgentCapabilities, "write" | "network">>;
  /** Absolute path of the folder the calls work in. */
  readonly folder: string;
  /** The conversation, where tools keep records. */
  readonly context: Context;
  readonly question: QuestionBridge | undefined;
  /** The agent's workers, for one call. */
  readonly workers: (call: WorkerCall) => Workers;
  readonly execution: Execution | undefined;
  readonly signal: AbortSignal;
  readonly emit: (event: ToolExecuteEvent | ToolDataEvent) => void;
  readonly notice: (message: string) => void;
  /** Told before a call runs; it waits for what this gives. */
  readonly started?: (call: BeginningCall) => Promise<void> | undefined;
  /** Stores the one result of a call, then gives it out. */
  readonly store: (message: ToolResultMessage, event: ToolResultEvent) => void;
  /** Texts that join the context after the batch. */
  readonly addSystem: (texts: readonly string[]) => void;
}

/** Milliseconds that `onTimeout` may take. */
export const TIMEOUT_GRACE_MS = 60_000;
