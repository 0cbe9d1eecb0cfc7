import { contentText, type Message, requestView } from "@ashlar/context";
import fc from "fast-check";
import { expect, it } from "vitest";
import { prose } from "../support/long-talk.js";
import { ask, openAgent } from "../support/open-agent.js";
import { calls, failure, nothing, type SeenRequest, scripted, text } from "../support/scripted-stream.js";
import { pairingProblems } from "../support/well-paired.js";

const tool = {
  description: "A page of some length.",
  safe: true,
  inputSchema: { type: "object" },
  fn: ({ n }: { n: number }) => prose(`page-${n}`, 40 * (n % 20)),
};
const overflow = failure({
  kind: "provider",
  status: 400,
  error: "too long",
  contextOverflow: { needed: 5_000, window: 4_000 },
});
const isSummary = ({ context }: SeenRequest): boolean =>
  contentText(context[0] as Message).startsWith("You write summaries");

/** One answer, as fate has it. */
function answer(request: SeenRequest, fate: number): ReturnType<typeof text> {
  const { index } = request;
  if (fate === 0) return failure({ kind: "provider", status: 400, error: "broken" });
  if (fate === 1) return overflow;
  if (fate === 2) return failure({ kind: "network" });
  if (isSummary(request)) return text(fate === 3 ? prose("long", 4_000) : `Summary ${index}.`);
  if (fate === 3) return nothing();
  if (fate < 9) return text(prose(`answer-${index}`, fate * 30));
  return calls(Array.from({ length: (fate % 3) + 1 }, (_, n) => ({ name: "page", args: { n: index + n } })));
}

it("every request is well paired and holds what the user asked last, whatever happens to requests and summaries", async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(24), { minLength: 3, maxLength: 12 }), fc.nat(3), async (fates, off) => {
      const { stream, requests } = scripted((request) =>
        answer(request, fates[request.index % fates.length] ?? 9),
      );
      const { agent, events } = await openAgent({
        stream,
        toolDescriptions: { page: tool },
        budget: { requests: 40, repeats: false },
        envSettings: {
          context: { assumedWindow: 4_000, autocompact: off === 0 ? 0 : 0.4 },
          retry: { base: 1 },
        },
      });
      for (const turn of [1, 2, 3]) {
        const from = requests.length;
        const before = events.length;
        const result = await ask(agent, prose(`question-${turn}`, 60));
        const own = requests.slice(from).filter((request) => !isSummary(request));
        for (const { context } of own) {
          expect(pairingProblems(requestView(context))).toEqual([]);
          expect(context.map((item) => contentText(item as Message)).join("\n")).toContain(
            `question-${turn} stone`,
          );
        }
        const terminals = events.slice(before).filter(({ type }) => type === "done" || type === "error");
        expect(terminals).toHaveLength(own.length);
        expect(result.requests).toBe(requests.length - from);
        expect(events.at(-1)?.type).toBe("result");
        const phases = events
          .slice(before)
          .flatMap((event) => (event.type === "compaction" ? [event.phase] : []));
        expect(phases.filter((phase) => phase === "start")).toHaveLength(phases.length / 2);
        if (off === 0) expect(phases).toEqual([]);
        for (const phase of phases) seen.add(phase);
      }
      expect(pairingProblems(requestView(agent.context.items()))).toEqual([]);
    }),
    { numRuns: 25 },
  );
  expect(seen).toContain("end");
});
