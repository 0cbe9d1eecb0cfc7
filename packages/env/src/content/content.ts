import { nearestName } from "@ashlar/context";
import type { Diagnostic } from "../diagnostic.js";
import { EnvError, isEnvError } from "../env-error.js";
import { ContentFileProblem } from "./content-file.js";
import { type FoundFile, type ScanPlace, scanPrompts, scanSkills } from "./content-scan.js";
import { hookFiles } from "./hook-files.js";
import { promptCommand, promptText } from "./prompt-command.js";
import { PromptShelf } from "./prompt-shelf.js";
import { contentPlaces } from "./scan-places.js";
import type {
  ContentRoot,
  PromptCatalogue,
  Skill,
  SkillCatalogue,
  SkillInfo,
  SkillResource,
} from "./skill.js";
import { expandedSkill, expandText } from "./skill-include.js";
import { listResources, readResource, resourcePathProblem } from "./skill-resources.js";
import { type ScannedFolder, SkillShelf } from "./skill-shelf.js";

export interface ContentOptions {
  /** The roots as they are now, weakest first. */
  readonly roots: () => readonly ContentRoot[];
  readonly diagnose: (diagnostic: Diagnostic) => void;
}

/** Skills, prompts and hooks of one Env. Everything is read from disk each time it is asked for. */
export class Content {
  readonly #options: ContentOptions;
  #skills: SkillCatalogue = { skills: [], diagnostics: [] };
  #prompts: PromptCatalogue = { prompts: [], diagnostics: [] };

  constructor(options: ContentOptions) {
    this.#options = options;
  }

  get roots(): readonly ContentRoot[] {
    return this.#options.roots();
  }

  /** The skills as they were when somebody looked last. */
  get known(): readonly SkillInfo[] {
    return this.#skills.skills;
  }

  /** What the last looks found wrong. */
  get diagnostics(): readonly Diagnostic[] {
    return [...this.#skills.diagnostics, ...this.#prompts.diagnostics];
  }

  async skills(): Promise<SkillCatalogue> {
    return (await this.#shelf()).catalogue;
  }

  /** Throws kind `usage` for a name that no skill has, `content` for includes that cannot be expanded. */
  async skill(name: string): Promise<Skill> {
    const shelf = await this.#shelf();
    const found = shelf.find(name.normalize("NFC"));
    const body = found && expandedSkill(found.info.name, shelf.definitions);
    if (found === undefined || body === undefined) throw unknownSkill(name, shelf.catalogue);
    return { ...found.info, body, metadata: found.metadata };
  }

  /** Throws kind `usage` for a name that no skill has. */
  async skillResources(name: string): Promise<readonly SkillResource[]> {
    return listResources(await this.#folders(name));
  }

  /** Throws kind `usage` for what is not there, `content` for what cannot be read. */
  async skillResource(name: string, path: string): Promise<Uint8Array> {
    const folders = await this.#folders(name);
    const problem = resourcePathProblem(path);
    if (problem !== undefined)
      throw new EnvError("usage", `${JSON.stringify(path)} ${problem}.`, { argument: "path" });
    try {
      const bytes = await readResource(folders, path);
      if (bytes !== undefined) return bytes;
    } catch (cause) {
      if (!(cause instanceof ContentFileProblem)) throw cause;
      throw new EnvError("content", `${path} of the skill ${name}: ${cause.message}.`, { name }, { cause });
    }
    const paths = (await listResources(folders)).map(({ path: one }) => one);
    const near = nearestName(path, paths);
    const hint =
      near === undefined ? `it has ${paths.length} files beside its SKILL.md.` : `did you mean ${near}?`;
    throw new EnvError("usage", `The skill ${name} has no file ${JSON.stringify(path)}; ${hint}`, {
      argument: "path",
    });
  }

  async prompts(): Promise<PromptCatalogue> {
    return (await this.#promptShelf()).catalogue;
  }

  /** The prompt in the place of a command at the start of a text; any other text as it is. Throws kind `content`, naming the prompt. */
  async promptExpand(text: string): Promise<string> {
    const command = promptCommand(text);
    if (command === undefined) return text;
    const { name, rest } = command;
    const shelf = await this.#promptShelf();
    const prompt = shelf.find(name);
    const failure = shelf.failure(name);
    if (failure !== undefined) throw unusable(name, failure);
    if (prompt === undefined) return text;
    try {
      return promptText(await this.expandIncludes(prompt.body), rest);
    } catch (cause) {
      if (isEnvError(cause) && cause.kind === "content") throw unusable(name, cause.message, prompt.file);
      throw cause;
    }
  }

  /** Skills in the place of `{{name}}` and `{{name[3-9]}}`, each in a tag of its own. Unknown names stay. Throws kind `content`. */
  async expandIncludes(text: string): Promise<string> {
    if (!text.includes("{{")) return text;
    const shelf = await this.#shelf();
    return expandText(text, shelf.definitions, (name, body) => `<skill name="${name}">\n${body}\n</skill>`);
  }

  hookFiles(): Promise<readonly string[]> {
    return hookFiles(this.roots, (message, file) =>
      this.#options.diagnose({ kind: "content", message, file }),
    );
  }

  async #folders(name: string): Promise<readonly string[]> {
    const shelf = await this.#shelf();
    const folders = shelf.folders(name.normalize("NFC"));
    if (folders.length === 0) throw unknownSkill(name, shelf.catalogue);
    return folders;
  }

  async #shelf(): Promise<SkillShelf> {
    const folders = await this.#scan("skills", scanSkills);
    const shelf = new SkillShelf(
      folders,
      await parserFor(folders, async () => (await import("./skill-file.js")).parseSkill),
    );
    this.#skills = shelf.catalogue;
    return shelf;
  }

  async #promptShelf(): Promise<PromptShelf> {
    const folders = await this.#scan("prompts", scanPrompts);
    const shelf = new PromptShelf(
      folders,
      await parserFor(folders, async () => (await import("./prompt-file.js")).parsePrompt),
    );
    this.#prompts = shelf.catalogue;
    return shelf;
  }

  async #scan(
    what: "skills" | "prompts",
    scan: (place: ScanPlace) => Promise<readonly FoundFile[]>,
  ): Promise<readonly ScannedFolder[]> {
    const places = await contentPlaces(this.roots, what);
    return Promise.all(
      places.map(async (place) => ({
        kind: place.kind,
        found:
          place.problem === undefined
            ? await scan(place)
            : [{ name: "", file: place.folder, problem: place.problem }],
      })),
    );
  }
}

/** The parser brings the YAML library, which is loaded once there is something to parse. */
async function parserFor<Parser>(
  folders: readonly ScannedFolder[],
  load: () => Promise<Parser>,
): Promise<Parser | (() => never)> {
  if (folders.some(({ found }) => found.some(({ text }) => text !== undefined))) return load();
  return () => {
    throw new TypeError("there was nothing to parse");
  };
}

function unknownSkill(name: string, { skills }: SkillCatalogue): EnvError<"usage"> {
  const names = skills.map(({ name: one }) => one);
  const near = nearestName(name, names);
  const known = names.length === 0 ? "there are none" : `there are ${names.slice(0, 20).join(", ")}`;
  const hint = near === undefined ? `${known}.` : `did you mean ${near}?`;
  return new EnvError("usage", `There is no skill ${JSON.stringify(name)}; ${hint}`, { argument: "name" });
}

function unusable(name: string, problem: string, file?: string): EnvError<"content"> {
  const end = problem.endsWith(".") ? "" : ".";
  const details = file === undefined ? { name } : { name, file };
  return new EnvError("content", `The prompt /${name} cannot be used: ${problem}${end}`, details);
}
