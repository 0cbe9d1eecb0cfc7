import type { Diagnostic } from "../diagnostic.js";

/** Where content comes from: the host, a package that settings name, the user, the project. */
export type ContentKind = "package" | "packages" | "user" | "project";

/** A place that holds content, and its folders of each kind, weakest first. All paths are absolute; none needs to exist. */
export interface ContentRoot {
  readonly kind: ContentKind;
  readonly path: string;
  /** Its code may run in the host's process. Never so for a project. */
  readonly trusted: boolean;
  readonly skills: readonly string[];
  readonly prompts: readonly string[];
  readonly hooks: readonly string[];
  /** Named by settings, so that it should be there. */
  readonly named?: true;
}

export interface SkillInfo {
  readonly name: string;
  /** One line of at most 1,024 characters. */
  readonly description: string;
  /** Absolute path of the SKILL.md that counts. */
  readonly file: string;
  readonly source: ContentKind;
  /** False: its header says `disable-model-invocation`, so no model is told of it. */
  readonly forModel: boolean;
}

export interface Skill extends SkillInfo {
  /** Includes expanded; blank lines at both ends left out. */
  readonly body: string;
  /** All keys of the header, foreign ones too. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SkillCatalogue {
  /** By name, in the order of the names. */
  readonly skills: readonly SkillInfo[];
  /** One for each file that is left out or was mended. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A file beside a SKILL.md. */
export interface SkillResource {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

export interface PromptInfo {
  readonly name: string;
  readonly description: string;
  /** What the text behind the command should be; empty: not said. */
  readonly argumentHint: string;
  readonly file: string;
  readonly source: ContentKind;
}

export interface PromptCatalogue {
  readonly prompts: readonly PromptInfo[];
  readonly diagnostics: readonly Diagnostic[];
}
