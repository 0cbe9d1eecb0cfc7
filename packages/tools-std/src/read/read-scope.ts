import type { FileStat, Files, OpenFile } from "@ashlar/context/tool";
import type { CredentialPlaces } from "../guard/credential-guard.js";
import type { GuardedPath } from "../guard/path-guard.js";
import type { ReadBudget } from "./read-budget.js";
import type { ReadMeter } from "./read-meter.js";
import type { ReadRequest } from "./read-request.js";
import type { PatternTester } from "./search/pattern-tester.js";

/** What every part of one call needs. */
export interface ReadScope {
  readonly files: Files;
  /** Real path of the project. */
  readonly project: string;
  readonly places: CredentialPlaces;
  readonly request: ReadRequest;
  readonly budget: ReadBudget;
  readonly meter: ReadMeter;
  readonly patterns: PatternTester;
}

/** One open file of a call. */
export interface ReadFile {
  readonly path: GuardedPath;
  readonly file: OpenFile;
  readonly stat: FileStat;
}
