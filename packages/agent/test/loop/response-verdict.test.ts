import type { LoopInput } from "@ashlar/agent/loop";
import type { Block } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import {
  called,
  dispatched,
  done,
  failed,
  feed,
  message,
  PREPARED,
  RUN,
  STORED,
  said,
  typesOf,
} from "../support/loop-inputs.js";

describe("a failed request", () => {
  it("is sent again after a wait, and nothing of it is stored", () => {
    const first = feed(RUN, PREPARED, failed({}));
    expect(first.state.name).toBe("waiting");
    expect(first.effects).toMatchObject([
      { type: "discard" },
      {
        type: "emit",
        event: { type: "retry", reason: "failure", attempt: 2, delayMs: 2_000, kind: "network" },
      },
      { type: "wait", delayMs: 2_000 },
    ]);
    expect(feed(RUN, PREPARED, failed({}), { type: "waited" }).effects).toEqual([
      { type: "request", tokens: 100 },
    ]);
  });

  it("ends the run after the last attempt, with what arrived marked as incomplete", () => {
    const again: LoopInput[] = [failed({}), { type: "waited" }, failed({}), { type: "waited" }];
    const last = failed({ message: said });
    const { effects } = feed(RUN, PREPARED, ...again, last);
    expect(effects).toMatchObject([
      { type: "store", message: { content: said.content, error: "broken", incomplete: true } },
    ]);
    const { state } = feed(RUN, PREPARED, ...again, last, STORED);
    expect(state).toMatchObject({
      name: "ended",
      outcome: { kind: "network", error: "broken" },
      memory: { requests: 3 },
    });
  });

  it("counts attempts anew for the next request", () => {
    const hiccup: LoopInput[] = [PREPARED, failed({}), { type: "waited" }, failed({}), { type: "waited" }];
    const inputs = [RUN, ...hiccup, done(called), STORED, dispatched({}), ...hiccup, done(said), STORED];
    expect(feed(...inputs).state).toMatchObject({ name: "ended", outcome: { kind: "success" } });
  });

  it("throttles when the provider asks for too long a wait", () => {
    const limited = failed({ kind: "provider", status: 429, retryAfterMs: 3_600_000 });
    const { effects } = feed(RUN, PREPARED, limited, STORED);
    expect(effects).toMatchObject([
      { type: "emit", event: { type: "throttled", until: 3_601_000, waitMs: 3_600_000 } },
      { type: "end", outcome: { kind: "provider", httpStatus: 429, throttled: { until: 3_601_000 } } },
    ]);
    expect(feed(RUN, PREPARED, limited).effects).toMatchObject([
      { type: "store", message: { error: { message: "broken", retry: 3_600_000 } } },
    ]);
  });

  it("answers the calls that came with it without running them", () => {
    const refused = failed({ kind: "provider", status: 400, message: called });
    expect(feed(RUN, PREPARED, refused, STORED).effects).toMatchObject([
      { type: "dispatch", unrun: "failed" },
    ]);
    expect(feed(RUN, PREPARED, refused, STORED, dispatched({})).state).toMatchObject({
      name: "ended",
      outcome: { kind: "provider", httpStatus: 400 },
    });
  });

  it("of kind auth asks once whether the credentials changed", () => {
    const refused = failed({ kind: "auth", status: 401 });
    expect(feed(RUN, PREPARED, refused).effects).toEqual([{ type: "reload" }]);
    const changed: LoopInput = { type: "reloaded", changed: true };
    expect(typesOf(feed(RUN, PREPARED, refused, changed).effects)).toEqual(["discard", "emit", "wait"]);
    const twice = feed(RUN, PREPARED, refused, changed, { type: "waited" }, refused, STORED);
    expect(twice.state).toMatchObject({ name: "ended", outcome: { kind: "auth" }, memory: { requests: 2 } });
    const unchanged = feed(RUN, PREPARED, refused, { type: "reloaded", changed: false }, STORED);
    expect(unchanged.state).toMatchObject({
      name: "ended",
      outcome: { kind: "auth" },
      memory: { requests: 1 },
    });
  });
});

describe("an empty answer", () => {
  const empty = done(message());
  it("is asked for once more, at once", () => {
    expect(feed(RUN, PREPARED, empty).effects).toMatchObject([
      { type: "discard", failure: { type: "error", kind: "provider" } },
      { type: "emit", event: { type: "retry", reason: "empty", attempt: 2, delayMs: 0 } },
      { type: "wait", delayMs: 0 },
    ]);
    expect(feed(RUN, PREPARED, empty, { type: "waited" }, done(said), STORED).state).toMatchObject({
      outcome: { kind: "success" },
    });
  });

  it("is an error the second time", () => {
    expect(feed(RUN, PREPARED, empty, { type: "waited" }, empty, STORED).state).toMatchObject({
      outcome: { kind: "provider", error: "The model returned an empty answer." },
      memory: { requests: 2 },
    });
  });

  it.each([
    {
      why: "thinking alone",
      content: { type: "thinking", text: "hm" } as Block,
      reason: "stop",
      again: true,
    },
    { why: "blank text", content: { type: "text", text: " \n" } as Block, reason: "stop", again: true },
    {
      why: "the output limit",
      content: { type: "thinking", text: "hm" } as Block,
      reason: "length",
      again: false,
    },
    { why: "a refusal", content: { type: "text", text: "" } as Block, reason: "refusal", again: false },
  ])("is $why", ({ content, reason, again }) => {
    const { state } = feed(RUN, PREPARED, done(message(content), { doneReason: reason }));
    expect(state.name).toBe(again ? "waiting" : "storing");
  });
});

describe("calls that were cut", () => {
  const cut = done(called, { doneReason: "length" });
  const round: LoopInput[] = [
    PREPARED,
    cut,
    STORED,
    dispatched({ succeeded: false, cut: true, argumentsKey: "x" }),
  ];

  it("are answered, not run", () => {
    expect(feed(RUN, PREPARED, cut, STORED).effects).toMatchObject([{ type: "dispatch", unrun: "cut" }]);
  });

  it("end the run after three responses in a row", () => {
    const { state, path } = feed(RUN, ...round, ...round, ...round);
    expect(path.filter((name) => name === "requesting")).toHaveLength(3);
    expect(state).toMatchObject({
      name: "ended",
      outcome: { kind: "budget", stop: { rule: "cut", used: 3 } },
    });
  });

  it("start over after a response that was whole", () => {
    const whole: LoopInput[] = [PREPARED, done(called), STORED, dispatched({})];
    expect(feed(RUN, ...round, ...round, ...whole, ...round, ...round).state.name).toBe("preparing");
  });
});
