import type { StreamFunction } from "@ashlar/agent";
import { expect } from "vitest";
import { type OpenedAgent, type OpenOptions, openAgent } from "./open-agent.js";
import { scripted, text } from "./scripted-stream.js";

/** Answers `ok`. */
export const ok = (): StreamFunction => scripted(text("ok")).stream;

/** An agent that may have children, which answer as it does. */
export function openParent(options: OpenOptions = {}): Promise<OpenedAgent> {
  return openAgent({ stream: ok(), ...options });
}

/** The error of a caller's mistake in this argument. */
export const usage = (argument: string, words: RegExp | string = ""): unknown =>
  expect.objectContaining({
    kind: "usage",
    details: { argument },
    message: expect.stringMatching(words),
  });
