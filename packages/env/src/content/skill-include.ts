import { EnvError } from "../env-error.js";
import { NAME_PATTERN } from "./content-name.js";

/** One layer's skill of a name. */
export interface SkillDefinition {
  readonly name: string;
  readonly file: string;
  readonly body: string;
}

/** All definitions of each name, weakest layer first: the last one counts. */
export type SkillDefinitions = ReadonlyMap<string, readonly SkillDefinition[]>;

/** UTF-16 units of what comes out. */
export const MAX_EXPANDED = 1_048_576;
const MAX_CHAIN = 64;
const INCLUDE = new RegExp(`\\{\\{(${NAME_PATTERN})(?:\\[([^\\]\\n]{0,64})\\])?\\}\\}`, "gu");
const RANGE = /^(\d{1,9})-(\d{1,9})$/;

/** The body of the skill that counts, every include expanded. Throws kind `content`; undefined when there is none of this name. */
export function expandedSkill(name: string, definitions: SkillDefinitions): string | undefined {
  const definition = definitions.get(name)?.at(-1);
  return definition && new Expansion(definitions).body(definition);
}

/**
 * A text with `{{name}}` and `{{name[3-9]}}` in it, each expanded and put through `wrap`. Unknown names stay. Throws kind
 * `content`. Pure.
 */
export function expandText(
  text: string,
  definitions: SkillDefinitions,
  wrap: (name: string, body: string) => string,
): string {
  return new Expansion(definitions).text(text, undefined, wrap);
}

class Expansion {
  readonly #definitions: SkillDefinitions;
  readonly #done = new Map<SkillDefinition, string>();
  readonly #lines = new Map<SkillDefinition, readonly string[]>();
  readonly #chain: SkillDefinition[] = [];

  constructor(definitions: SkillDefinitions) {
    this.#definitions = definitions;
  }

  /** Each body is expanded once, however often it is included. */
  body(definition: SkillDefinition): string {
    const done = this.#done.get(definition);
    if (done !== undefined) return done;
    if (this.#chain.includes(definition)) throw this.#cycle(definition);
    if (this.#chain.length >= MAX_CHAIN)
      throw failure(definition, `includes nest deeper than ${MAX_CHAIN} skills`);
    this.#chain.push(definition);
    const text = this.text(definition.body, definition, (_, body) => body);
    this.#chain.pop();
    this.#done.set(definition, text);
    return text;
  }

  /** `own` is the skill whose text it is. */
  text(text: string, own: SkillDefinition | undefined, wrap: (name: string, body: string) => string): string {
    let size = text.length;
    return text.replace(INCLUDE, (include: string, spelled: string, range: string | undefined) => {
      const name = spelled.normalize("NFC");
      const target = this.#target(name, own);
      if (target === undefined) return include;
      const body = this.body(target);
      const part = wrap(name, range === undefined ? body : this.#part(target, range, own));
      size += part.length;
      if (size > MAX_EXPANDED)
        throw failure(own, `the text with its includes has more than ${MAX_EXPANDED} characters`);
      return part;
    });
  }

  /** The definition that counts; for a skill that names itself, the one that it replaced. */
  #target(name: string, own: SkillDefinition | undefined): SkillDefinition | undefined {
    const all = this.#definitions.get(name) ?? [];
    if (own?.name !== name) return all.at(-1);
    const earlier = all[all.indexOf(own) - 1];
    if (earlier === undefined)
      throw failure(own, `the skill ${name} includes itself, and no weaker layer has one of that name`);
    return earlier;
  }

  #part(target: SkillDefinition, range: string, own: SkillDefinition | undefined): string {
    const lines = this.#linesOf(target);
    const [, first = "", last = ""] = RANGE.exec(range) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (from >= 1 && from <= to && to <= lines.length) return lines.slice(from - 1, to).join("\n");
    throw failure(
      own,
      `{{${target.name}[${range}]}} names no lines of ${target.name}, which has ${lines.length} lines; wanted [first-last] such as [1-${lines.length}]`,
    );
  }

  #linesOf(target: SkillDefinition): readonly string[] {
    const known = this.#lines.get(target);
    if (known !== undefined) return known;
    const lines = this.body(target).split("\n");
    this.#lines.set(target, lines);
    return lines;
  }

  #cycle(definition: SkillDefinition): EnvError<"content"> {
    const names = [...this.#chain.slice(this.#chain.indexOf(definition)), definition].map(({ name }) => name);
    return failure(definition, `skills include each other in a circle: ${names.join(" → ")}`);
  }
}

function failure(own: SkillDefinition | undefined, problem: string): EnvError<"content"> {
  const where = own === undefined ? "" : `${own.file}: `;
  const details = own === undefined ? {} : { name: own.name, file: own.file };
  return new EnvError("content", `${where}${problem}.`, details);
}
