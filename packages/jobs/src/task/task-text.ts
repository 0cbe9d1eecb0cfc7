import { parseFrontmatter } from "@ashlar/env/frontmatter";
import { Document, parseDocument } from "yaml";

/** Keys of a task file as they are written there; undefined takes a key out, what is not named stays. */
export interface TaskTextChange {
  readonly keys: Readonly<Record<string, unknown>>;
  /** Default: the prompt that is there. */
  readonly prompt?: string;
}

/** A task file with some keys or the prompt changed; comments and the order of the other keys stay. */
export function changeTaskText(text: string, { keys, prompt }: TaskTextChange): string {
  const { data, body } = parseFrontmatter(text);
  const document = headerDocument(text, data);
  for (const [key, value] of Object.entries(keys)) {
    if (value === undefined) document.delete(key);
    else document.set(key, document.createNode(value));
  }
  const said = (prompt ?? body).trim();
  const isEmpty = Object.keys(document.toJS() ?? {}).length === 0;
  const keysText = isEmpty ? "" : document.toString({ lineWidth: 0 });
  // A prompt that begins with a line of dashes would be read as a header.
  const header = isEmpty && !said.startsWith("---") ? "" : `---\n${keysText}---\n\n`;
  return `${header}${said}\n`;
}

/** Where the header is valid YAML its own document, so that comments stay; else one of what was read. */
function headerDocument(text: string, data: Readonly<Record<string, unknown>> | undefined): Document {
  const header = /^\uFEFF?\s*---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/mu.exec(text)?.[1];
  if (header !== undefined && data !== undefined) {
    const document = parseDocument(header.replaceAll("\r\n", "\n"));
    if (document.errors.length === 0 && document.contents !== null) return new Document(document.contents);
  }
  return new Document({ ...data });
}
