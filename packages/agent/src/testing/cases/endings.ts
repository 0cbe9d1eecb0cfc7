import { expectThat } from "../expectation.js";
import { makeCall } from "../observation.js";
import { callText } from "../sample-call.js";
import type { ToolPackCase } from "../tool-pack-case.js";

const ABORT_AFTER_MS = 100;
/** Generous: a host waits no longer, and ends the process. */
const ABORT_LIMIT_MS = 3_000;
const UNKNOWN_ARGUMENTS = { unknownArgument: "x", __unknown: { deep: [1] } } as const;
/** Errors of the engine, which tell a model nothing of its arguments. */
const CRASHES: readonly (string | undefined)[] = ["TypeError", "ReferenceError", "SyntaxError", undefined];

export const endingCases: readonly ToolPackCase[] = [
  {
    name: "abort",
    needs: "sandbox",
    why: "A call that ignores its signal is ended with its process, and what it began stays half done.",
    run: async (subject) => {
      for (const sample of subject.calls) {
        const { reply, ending } = await makeCall(subject, sample, {
          writable: true,
          abortAfterMs: ABORT_AFTER_MS,
          limitMs: ABORT_LIMIT_MS,
        });
        const expected = `an end of ${callText(sample)} within ${ABORT_LIMIT_MS} ms of its signal`;
        expectThat(reply !== undefined, expected, ending);
        expectThat(reply.outcome !== "pending", expected, "none");
      }
    },
  },
  {
    name: "unknown-arguments",
    needs: "sandbox",
    why: "Models make up arguments, and older models call newer tools: the answer has to be one they can use.",
    run: async (subject) => {
      for (const sample of subject.calls) {
        const args = { ...sample.args, ...UNKNOWN_ARGUMENTS };
        const { reply, ending } = await makeCall(subject, sample, { writable: true, args });
        const expected = `a result of ${callText({ ...sample, args })}, or an error that is written for a model`;
        expectThat(reply !== undefined, expected, ending);
        const crashed = reply.outcome === "threw" && CRASHES.includes(reply.error?.name);
        expectThat(!crashed && reply.outcome !== "pending", expected, reply.error ?? reply.outcome);
      }
    },
  },
];
