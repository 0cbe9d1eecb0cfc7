import { NAME_PATTERN } from "./content-name.js";

/** A user's text that begins with the name of a prompt. */
export interface PromptCommand {
  readonly name: string;
  /** What stands behind the name, without the blanks between. */
  readonly rest: string;
}

const COMMAND = new RegExp(`^//?(${NAME_PATTERN})(?:\\s+([\\s\\S]*))?$`, "u");
const ARGUMENTS = "$ARGUMENTS";

/** `/name rest` or `//name rest`; undefined for any other text. Whether there is such a prompt is not known here. */
export function promptCommand(text: string): PromptCommand | undefined {
  const [, name, rest = ""] = COMMAND.exec(text) ?? [];
  return name === undefined ? undefined : { name: name.normalize("NFC"), rest: rest.trimEnd() };
}

/** The prompt in the place of its command. The rest takes the place of `$ARGUMENTS`, or follows where there is none. */
export function promptText(body: string, rest: string): string {
  if (body.includes(ARGUMENTS)) return body.replaceAll(ARGUMENTS, () => rest);
  return rest === "" ? body : `${body}\n\n${rest}`;
}
