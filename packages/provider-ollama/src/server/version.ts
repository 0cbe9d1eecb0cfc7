import { recordOf, textOf } from "../record.js";

type Version = readonly [major: number, minor: number];

/** Reads `/api/version`; undefined for a development build or a server that does not say. */
export function versionOf(answer: unknown): Version | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(textOf(recordOf(answer).version) ?? "") ?? [];
  const version: Version = [Number(major), Number(minor)];
  // Builds without a release call themselves 0.0.0.
  return version.every(Number.isInteger) && version.some((part) => part > 0) ? version : undefined;
}

/**
 * Does `prompt_eval_count` count the whole prompt. Releases before 0.2, and the first of 0.30, left out
 * what they took from their cache, so a low count says nothing there. An unknown version counts as a current one.
 */
export function countsWholePrompt(version: Version | undefined): boolean {
  if (version === undefined || version[0] > 0) return true;
  return version[1] >= 2 && version[1] !== 30;
}
