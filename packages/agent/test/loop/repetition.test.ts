import { NO_REPETITION, type ObservedCall, observeCalls, type Repetition } from "@ashlar/agent/loop";
import { expect, it } from "vitest";

const call = (name: string, result = "same", changed = false): ObservedCall => ({
  name,
  argumentsKey: "{}",
  resultKey: result,
  changed,
});

/** Feeds one call a batch; gives the numbers of the calls after which a hint and a stop came. */
function play(sequence: readonly ObservedCall[], stop = 8): { hints: number[]; stops: number[] } {
  let repetition: Repetition = NO_REPETITION;
  const hints: number[] = [];
  const stops: number[] = [];
  sequence.forEach((each, index) => {
    const verdict = observeCalls(repetition, [each], { stop });
    repetition = verdict.repetition;
    if (verdict.hints.length > 0) hints.push(index + 1);
    if (verdict.stop !== undefined) stops.push(index + 1);
  });
  return { hints, stops };
}
const times = (count: number, make: (index: number) => ObservedCall) =>
  Array.from({ length: count }, (_, i) => make(i));

it("tells the model once at four equal calls and stops at eight", () => {
  expect(play(times(8, () => call("read")))).toEqual({ hints: [4], stops: [8] });
});

it("sees two calls that alternate for ever", () => {
  const { hints, stops } = play(times(16, (index) => call(index % 2 === 0 ? "a" : "b")));
  expect(hints).toEqual([7, 8]);
  expect(stops).toEqual([15, 16]);
});

it("does not count calls whose result differs", () => {
  expect(play(times(40, (index) => call("poll", `tick ${index}`)))).toEqual({ hints: [], stops: [] });
});

it("starts over when something was changed in between", () => {
  const rounds = times(6, (index) => call("edit", `edit ${index}`, true)).flatMap((edit) => [
    edit,
    call("cat", "n"),
  ]);
  expect(play(rounds)).toEqual({ hints: [], stops: [] });
});

it("forgets what lies further back than twice the limit", () => {
  const rare = times(60, (index) => (index % 6 === 0 ? call("read") : call("other", `x${index}`)));
  expect(play(rare).stops).toEqual([]);
});

it("counts every repeat of one batch", () => {
  const verdict = observeCalls(
    NO_REPETITION,
    times(8, () => call("read")),
    { stop: 8 },
  );
  expect(verdict.stop).toMatchObject({ rule: "repeat", used: 8, limit: 8 });
});

it("can be switched off without remembering anything", () => {
  const verdict = observeCalls(
    NO_REPETITION,
    times(50, () => call("read")),
    { stop: Number.POSITIVE_INFINITY },
  );
  expect(verdict).toEqual({ repetition: NO_REPETITION, hints: [] });
});
