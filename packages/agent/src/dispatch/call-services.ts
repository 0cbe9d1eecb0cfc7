import type { BackgroundCommands, FileChanges, Question, QuestionBridge } from "@ashlar/context/tool";
import type { HostServices, ServiceName } from "../isolation/isolation.js";
import { isObject } from "../loop/json-object.js";

export interface ServiceParts {
  readonly question: QuestionBridge | undefined;
  readonly background: BackgroundCommands | undefined;
  readonly changes: FileChanges | undefined;
  /** Gives the files beside skills. */
  readonly skills: SkillFiles | undefined;
}

/** The Env, as far as it has skills. It is a method: call it on the Env. */
export interface SkillFiles {
  readonly skillResource?: (name: string, path: string) => Promise<Uint8Array>;
}

type Service = Readonly<Record<string, (args: readonly unknown[]) => Promise<unknown>>>;

const MAX_QUESTION_CHARACTERS = 64_000;
const MAX_COMMAND_CHARACTERS = 256 * 1024;

/** What a tool in the sandbox may ask of this process: what comes from there is a stranger's data, and is checked. */
export function callServices({ question, background, changes, skills }: ServiceParts): HostServices {
  const services = new Map<ServiceName, Service>();
  if (question !== undefined)
    services.set("question", { ask: async ([questions]) => question.ask(decodeQuestions(questions)) });
  if (background !== undefined) services.set("background", backgroundService(background));
  if (changes !== undefined)
    services.set("changes", { find: async ([id]) => sentChange(changes, textOf(id)) });
  if (skills?.skillResource !== undefined)
    services.set("skills", {
      resource: async ([name, path]) => sentFile(skills, textOf(name), textOf(path)),
    });
  return {
    names: [...services.keys()],
    perform: async (service, method, args) => {
      const methods = services.get(service) ?? {};
      const perform = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (perform === undefined) throw new TypeError(`This host has no ${service}.${method}.`);
      return perform(args);
    },
  };
}

function backgroundService(background: BackgroundCommands): Service {
  return {
    start: async ([command, options]) =>
      background.start(textOf(command, MAX_COMMAND_CHARACTERS), { environment: environmentOf(options) }),
    list: async () => background.list(),
    output: async ([id, from]) => background.output(textOf(id), typeof from === "number" ? from : 0),
    stop: async ([id]) => background.stop(textOf(id)),
  };
}

async function sentChange(changes: FileChanges, id: string): Promise<unknown> {
  const found = await changes.find(id);
  if (found === undefined) return null;
  const { before } = found;
  return { ...found, before: before === null ? null : Buffer.from(before).toString("base64") };
}

async function sentFile(skills: SkillFiles, name: string, path: string): Promise<unknown> {
  const bytes = await skills.skillResource?.(name, path);
  return bytes === undefined ? null : Buffer.from(bytes).toString("base64");
}

function textOf(value: unknown, limit = 1_000): string {
  if (typeof value === "string" && value.length <= limit) return value;
  throw new TypeError(`Expected a text of at most ${limit} characters.`);
}

function environmentOf(options: unknown): Readonly<Record<string, string>> {
  const environment = isObject(options) && isObject(options.environment) ? options.environment : {};
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** Throws a TypeError for what a person could not be shown. */
function decodeQuestions(value: unknown): readonly Question[] {
  const isFit = Array.isArray(value) && value.length > 0 && value.every(isQuestion);
  if (!isFit || JSON.stringify(value).length > MAX_QUESTION_CHARACTERS)
    throw new TypeError("Expected questions with question, header and options.");
  return value;
}

function isQuestion(value: unknown): value is Question {
  if (!isObject(value)) return false;
  const { question, header, details, multiSelect, options } = value;
  return (
    typeof question === "string" &&
    typeof header === "string" &&
    (details === undefined || typeof details === "string") &&
    (multiSelect === undefined || typeof multiSelect === "boolean") &&
    Array.isArray(options) &&
    options.every(isOption)
  );
}

function isOption(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { label, description, preview } = value;
  return (
    typeof label === "string" &&
    typeof description === "string" &&
    (preview === undefined || typeof preview === "string")
  );
}
