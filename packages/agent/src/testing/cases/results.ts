import { MAX_RESULT_CHARACTERS } from "../../loop/bounded-text.js";
import { expectThat } from "../expectation.js";
import { observeCall } from "../observation.js";
import type { CallReply } from "../pack-message.js";
import { callText } from "../sample-call.js";
import type { SampleCall, ToolPackSubject } from "../subject.js";
import type { ToolPackCase } from "../tool-pack-case.js";

const MAX_ATTACHMENT_BYTES = 16 * 1024 * 1024;

export const resultCases: readonly ToolPackCase[] = [
  {
    name: "results",
    needs: "sandbox",
    why: "What is no text, no blocks and no JSON reaches the model as something else, or not at all.",
    run: (subject) =>
      forEachReply(subject, (reply, sample) => {
        const { outcome, problem, error } = reply;
        expectThat(outcome !== "pending", `an end of ${callText(sample)}`, "none in time");
        if (sample.throws === undefined) {
          expectThat(outcome === "returned", `a result of ${callText(sample)}`, error);
          expectThat(problem === undefined, `a result of ${callText(sample)} that JSON can carry`, problem);
        } else {
          const said = error?.message.includes(sample.throws) === true;
          expectThat(
            said,
            `an error of ${callText(sample)} with the words ${sample.throws}`,
            error ?? "a result",
          );
        }
      }),
  },
  {
    name: "bounded-results",
    needs: "sandbox",
    why: "A result fills the model's window for the rest of the conversation; a host cuts what is too long anywhere.",
    run: (subject) =>
      forEachReply(subject, ({ characters, attachmentBytes }, sample) => {
        const fits = characters <= MAX_RESULT_CHARACTERS && attachmentBytes <= MAX_ATTACHMENT_BYTES;
        expectThat(
          fits,
          `a result of ${callText(sample)} of at most ${MAX_RESULT_CHARACTERS} characters and ${MAX_ATTACHMENT_BYTES} bytes of attachments`,
          `${characters} characters and ${attachmentBytes} bytes`,
        );
      }),
  },
  {
    name: "calls-quiet",
    needs: "sandbox",
    why: "Nobody reads the standard output of a call; what is to be seen goes through onData.",
    run: async (subject) => {
      for (const sample of subject.calls) {
        const { printed } = await observeCall(subject, sample);
        expectThat(printed === "", `a call ${callText(sample)} that prints nothing`, printed);
      }
    },
  },
];

async function forEachReply(
  subject: ToolPackSubject,
  check: (reply: CallReply, sample: SampleCall) => void,
): Promise<void> {
  for (const sample of subject.calls) {
    const { reply, ending } = await observeCall(subject, sample);
    expectThat(reply !== undefined, `an end of ${callText(sample)}`, ending);
    check(reply, sample);
  }
}
