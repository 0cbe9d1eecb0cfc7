import { AgentError } from "../agent-error.js";
import { interceptorProblem } from "./interceptor-chain.js";

/** Throws kind `usage` for interceptors that are none and for a queue mode that is none. */
export function checkHookOptions(options: object): void {
  const { interceptors, steering, followUp } = options as Readonly<Record<string, unknown>>;
  if (interceptors !== undefined) checkInterceptors(interceptors);
  for (const [argument, mode] of Object.entries({ steering, followUp })) {
    if (mode === undefined || mode === "one" || mode === "all") continue;
    throw new AgentError(
      "usage",
      `new Agent: ${argument}: ${JSON.stringify(mode)} is not "one" (at a time) or "all".`,
      { argument },
    );
  }
}

function checkInterceptors(value: unknown): void {
  if (!Array.isArray(value)) throw wrong("interceptors", "must be an array");
  value.forEach((interceptor, index) => {
    const problem = interceptorProblem(interceptor);
    if (problem !== undefined) throw wrong(`interceptors[${index}]`, problem);
  });
}

function wrong(argument: string, problem: string): AgentError<"usage"> {
  return new AgentError("usage", `new Agent: ${argument}: ${problem}.`, { argument });
}
