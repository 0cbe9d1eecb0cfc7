/** A skill as a tool may tell a model of it. */
export interface ToolSkill {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** False: no model is told of it. */
  readonly forModel: boolean;
}

/** A file beside a skill. */
export interface ToolSkillFile {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** What a reload of the tools gave. */
export interface ToolsRefresh {
  /** Names of all that are published now. */
  readonly tools: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** What was left out, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * Skills and tools of the host, for its own tools. They are methods: call them on the environment. A call in a sandbox
 * has `skillResource` only.
 */
export interface ToolContent {
  /** As somebody saw them last. */
  readonly knownSkills: readonly ToolSkill[];
  /** As they are now, in the order of their names. */
  readonly skills: () => Promise<{
    readonly skills: readonly ToolSkill[];
    readonly diagnostics: readonly { readonly message: string }[];
  }>;
  /** With its includes expanded. Rejects, naming what is wrong, for one that is not there or cannot be expanded. */
  readonly skill: (name: string) => Promise<ToolSkill & { readonly body: string }>;
  readonly skillResources: (name: string) => Promise<readonly ToolSkillFile[]>;
  /** At most 16 MiB; rejects for more. */
  readonly skillResource: (name: string, path: string) => Promise<Uint8Array>;
  /** Imports tool modules again. */
  readonly toolsRefresh: () => Promise<ToolsRefresh>;
  /** Real paths of the folders whose code a reload runs in the host's process. */
  readonly codeFolders: () => Promise<readonly string[]>;
  /** Reads hook files again; resolves with what is wrong. */
  readonly hooksRefresh: () => Promise<readonly { readonly message: string }[]>;
}
