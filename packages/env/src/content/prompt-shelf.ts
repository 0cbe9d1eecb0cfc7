import type { Diagnostic } from "../diagnostic.js";
import { isContentName, NAME_RULE } from "./content-name.js";
import type { ParsedPrompt } from "./prompt-file.js";
import type { PromptCatalogue, PromptInfo } from "./skill.js";
import { contentDiagnostic, type ScannedFolder } from "./skill-shelf.js";

interface ShelvedPrompt extends PromptInfo {
  readonly body: string;
}

/** All prompts as they were found at one moment. */
export class PromptShelf {
  readonly catalogue: PromptCatalogue;
  readonly #prompts = new Map<string, ShelvedPrompt>();
  readonly #failures = new Map<string, string>();

  /** `folders` are given weakest first: a later prompt of the same name replaces an earlier one. */
  constructor(
    folders: readonly ScannedFolder[],
    parse: (text: string) => {
      readonly prompt: ParsedPrompt | undefined;
      readonly problems: readonly string[];
    },
  ) {
    const diagnostics: Diagnostic[] = [];
    for (const { kind, found } of folders) {
      for (const { name: spelled, file, text, problem, partial } of found) {
        const name = spelled.normalize("NFC");
        const reading = text === undefined ? undefined : parse(text);
        const problems = problem === undefined ? [...(reading?.problems ?? [])] : [problem];
        const named = isContentName(name);
        if (text !== undefined && !named) problems.push(`its name cannot be used (${NAME_RULE})`);
        const prompt = named ? reading?.prompt : undefined;
        if (prompt !== undefined) this.#prompts.set(name, { name, file, source: kind, ...prompt });
        else if (name !== "") this.#failures.set(name, `${file}: ${problems.join("; ")}`);
        if (problems.length > 0)
          diagnostics.push(contentDiagnostic(file, problems, partial ?? prompt !== undefined));
      }
    }
    const byName = ({ name: one }: PromptInfo, { name: other }: PromptInfo): number => (one < other ? -1 : 1);
    const prompts = [...this.#prompts.values()].map(({ body: _, ...info }) => info).sort(byName);
    this.catalogue = { prompts, diagnostics };
  }

  find(name: string): ShelvedPrompt | undefined {
    return this.#prompts.get(name);
  }

  /** Why the only file of this name is no prompt; undefined when there is a prompt, or no file. */
  failure(name: string): string | undefined {
    return this.#prompts.has(name) ? undefined : this.#failures.get(name);
  }
}
