import type { ToolContent } from "@ashlar/context/tool";

export interface HostSkill {
  readonly description?: string;
  readonly body?: string;
  readonly forModel?: boolean;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
}

/** A host with these skills. What is not there fails as an Env says it. */
export function skillHost(skills: Readonly<Record<string, HostSkill>>): ToolContent {
  const bytesOf = (file: string | Uint8Array): Uint8Array =>
    typeof file === "string" ? new TextEncoder().encode(file) : file;
  const found = (name: string): HostSkill => {
    const skill = Object.hasOwn(skills, name) ? skills[name] : undefined;
    if (skill === undefined) throw new Error(`There is no skill "${name}"`);
    return skill;
  };
  const infoOf = (name: string, { description = `Does ${name}.`, forModel = true }: HostSkill) => ({
    name,
    description,
    forModel,
  });
  const list = Object.entries(skills).map(([name, skill]) => infoOf(name, skill));
  return {
    knownSkills: list,
    skills: async () => ({ skills: list, diagnostics: [] }),
    skill: async (name) => ({ ...infoOf(name, found(name)), body: found(name).body ?? `Body of ${name}.` }),
    skillResources: async (name) =>
      Object.entries(found(name).files ?? {}).map(([path, file]) => ({
        path,
        size: bytesOf(file).byteLength,
      })),
    skillResource: async (name, path) => {
      const file = found(name).files?.[path];
      if (file === undefined) throw new Error(`The skill ${name} has no file "${path}"`);
      return bytesOf(file);
    },
    toolsRefresh: async () => ({ tools: ["read", "write"], added: [], removed: [], problems: [] }),
    codeFolders: async () => [],
    hooksRefresh: async () => [],
  };
}
