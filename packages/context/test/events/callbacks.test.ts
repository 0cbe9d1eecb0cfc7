import { type Callbacks, callbacksToSink, eventCallbackName, type ResponseEvent } from "@ashlar/context";
import { expect, it, vi } from "vitest";
import { failureOf } from "../support/failure.js";
import { eventSamples } from "./event-samples.js";

const delta: ResponseEvent = { type: "text_delta", contentIndex: 0, text: "a" };
const failure: ResponseEvent = { type: "error", error: "boom", kind: "network" };

it.each([
  { type: "start", name: "onStart" },
  { type: "text_delta", name: "onTextDelta" },
  { type: "tool_call_result", name: "onToolCallResult" },
  { type: "error", name: "onError" },
] as const)("calls the callback of $type $name", ({ type, name }) => {
  expect(eventCallbackName(type)).toBe(name);
});

it("hands each event to the callback of its name", () => {
  for (const event of eventSamples) {
    const callback = vi.fn();
    const onData = vi.fn();
    callbacksToSink({ [eventCallbackName(event.type)]: callback, onData })(event);
    expect(callback).toHaveBeenCalledExactlyOnceWith(event);
    expect(onData).not.toHaveBeenCalled();
  }
});

it("leaves an event without a callback to onData, unless it is silenced", () => {
  const onData = vi.fn();
  const sink = callbacksToSink({ onTextDelta: false, onThinkingDelta: null, onData });
  sink(delta);
  sink({ type: "thinking_delta", contentIndex: 0, text: "b" });
  expect(onData).not.toHaveBeenCalled();
  sink({ type: "start", version: 1 });
  expect(onData).toHaveBeenCalledExactlyOnceWith({ type: "start", version: 1 });
});

it("logs an error that nobody takes, and only that", () => {
  const onLog = vi.fn();
  callbacksToSink({ onLog })(failure);
  expect(onLog).toHaveBeenCalledExactlyOnceWith("network: boom");
  callbacksToSink({ onLog, onError: () => undefined })(failure);
  callbacksToSink({ onLog, onError: false })(failure);
  expect(onLog).toHaveBeenCalledTimes(1);
});

it("tells onTerminal of the last event, beside its own callback", () => {
  const calls: string[] = [];
  const sink = callbacksToSink({
    onDone: () => calls.push("done"),
    onError: null,
    onTerminal: ({ type }) => calls.push(`terminal ${type}`),
  });
  sink(delta);
  sink({ type: "done" });
  sink(failure);
  expect(calls).toEqual(["done", "terminal done", "terminal error"]);
});

it.each([
  {
    why: "a misspelt name",
    callbacks: { onTextdelta: () => undefined },
    text: /onTextdelta.*did you mean onTextDelta/,
  },
  {
    why: "a name of old",
    callbacks: { onToolcallStart: () => undefined },
    text: /did you mean onToolCallStart/,
  },
  {
    why: "a name like no other",
    callbacks: { whenever: () => undefined },
    text: /callbacks\.whenever: no event has this callback$/,
  },
  {
    why: "a value that is no function",
    callbacks: { onDone: true },
    text: /callbacks\.onDone: expected a function, false or null, got a boolean/,
  },
])("refuses $why", ({ callbacks, text }) => {
  const written: object = callbacks;
  const wrong: Callbacks = { ...written };
  const error = failureOf(() => callbacksToSink(wrong));
  expect(error.kind).toBe("usage");
  expect(error.message).toMatch(text);
});

it("reads a set of callbacks once", () => {
  const callbacks: { onTextDelta?: () => void } = { onTextDelta: vi.fn() };
  const { onTextDelta } = callbacks;
  const sink = callbacksToSink(callbacks);
  delete callbacks.onTextDelta;
  sink(delta);
  expect(onTextDelta).toHaveBeenCalledTimes(1);
});
