import { dirname } from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import type { FoundFile } from "./content-scan.js";
import type { ContentKind, SkillCatalogue, SkillInfo } from "./skill.js";
import type { ParsedSkill, SkillReading } from "./skill-file.js";
import type { SkillDefinition, SkillDefinitions } from "./skill-include.js";

/** What one folder of skills holds. */
export interface ScannedFolder {
  readonly kind: ContentKind;
  readonly found: readonly FoundFile[];
}

interface ShelvedSkill extends SkillDefinition {
  readonly kind: ContentKind;
  readonly parsed: ParsedSkill;
}

/** All skills as they were found at one moment, those that are replaced too. */
export class SkillShelf {
  readonly catalogue: SkillCatalogue;
  readonly #layers: ReadonlyMap<string, readonly ShelvedSkill[]>;

  /** `folders` are given weakest first: a later skill of the same name replaces an earlier one. */
  constructor(folders: readonly ScannedFolder[], parse: (folder: string, text: string) => SkillReading) {
    const layers = new Map<string, ShelvedSkill[]>();
    const diagnostics: Diagnostic[] = [];
    for (const { kind, found } of folders) {
      const here = new Map<string, ShelvedSkill>();
      for (const { name: folder, file, text, problem, partial } of found) {
        const reading = text === undefined ? undefined : parse(folder, text);
        const problems = problem === undefined ? [...(reading?.problems ?? [])] : [problem];
        const skill = reading?.skill;
        const twin = skill && here.get(skill.name);
        if (twin !== undefined)
          problems.push(`${twin.file} has the name ${twin.name} already, so it is left out`);
        else if (skill !== undefined)
          here.set(skill.name, { kind, file, name: skill.name, body: skill.body, parsed: skill });
        if (problems.length > 0)
          diagnostics.push(
            contentDiagnostic(file, problems, partial ?? (skill !== undefined && twin === undefined)),
          );
      }
      for (const [name, skill] of here) layers.set(name, [...(layers.get(name) ?? []), skill]);
    }
    this.#layers = layers;
    this.catalogue = { skills: [...layers.values()].flatMap(topInfo).sort(byName), diagnostics };
  }

  get definitions(): SkillDefinitions {
    return this.#layers;
  }

  /** The skill that counts; undefined when there is none of this name. */
  find(name: string): { readonly info: SkillInfo; readonly metadata: ParsedSkill["metadata"] } | undefined {
    const top = this.#layers.get(name)?.at(-1);
    return top && { info: infoOf(top), metadata: top.parsed.metadata };
  }

  /** The folders of all skills of this name, weakest first. */
  folders(name: string): readonly string[] {
    return (this.#layers.get(name) ?? []).map(({ file }) => dirname(file));
  }
}

/** One diagnostic for one file, whatever is wrong with it. */
export function contentDiagnostic(file: string, problems: readonly string[], counts: boolean): Diagnostic {
  const end = counts ? "" : " It is left out.";
  return { kind: "content", message: `${file}: ${problems.join("; ")}.${end}`, file };
}

function topInfo(layers: readonly ShelvedSkill[]): readonly SkillInfo[] {
  const top = layers.at(-1);
  return top === undefined ? [] : [infoOf(top)];
}

function infoOf({ name, file, kind, parsed }: ShelvedSkill): SkillInfo {
  return { name, description: parsed.description, file, source: kind, forModel: parsed.forModel };
}

function byName({ name: one }: SkillInfo, { name: other }: SkillInfo): number {
  return one < other ? -1 : 1;
}
