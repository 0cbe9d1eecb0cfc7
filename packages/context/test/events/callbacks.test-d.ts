import {
  type Callbacks,
  callbacksToSink,
  type EventCallbackName,
  type ToolCallStartEvent,
} from "@ashlar/context";

export const name: EventCallbackName<"tool_call_start"> = "onToolCallStart";

export const callbacks: Callbacks = {
  onToolCallStart: (event: ToolCallStartEvent) => event.callId,
  onTextDelta: ({ text, contentIndex }) => `${contentIndex}${text}`,
  onThinkingDelta: false,
  onError: null,
};

// @ts-expect-error no event has this callback
callbacksToSink({ onTextdelta: () => undefined });

// @ts-expect-error a text delta is no start of a call
callbacksToSink({ onTextDelta: (event: ToolCallStartEvent) => event.callId });
