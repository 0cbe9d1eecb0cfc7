import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

const name = { type: "string", description: "Name of the note, letters only." };
const schema = (properties, required) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
// As a schema library gives them: not plain data, and with a JSON Schema of itself.
const librarySchema = (json) =>
  Object.assign(() => json, {
    "~standard": { version: 1, vendor: "notes", jsonSchema: { input: () => json } },
  });

export function toolDescription() {
  return {
    "note-read": {
      safe: true,
      description: "Reads a note of the working folder.",
      inputSchema: schema({ name }, ["name"]),
      fn: noteRead,
    },
    "note-write": {
      description: "Writes a note into the working folder, or says what it would write.",
      inputSchema: schema(
        {
          name,
          text: { type: "string", description: "The whole note." },
          dryRun: { type: "boolean", description: "Only says what would be written." },
        },
        ["name", "text"],
      ),
      readOnly: ({ dryRun }) => dryRun === true,
      writes: ({ name, dryRun }) => (dryRun ? [] : [`${name}.txt`]),
      fn: noteWrite,
    },
    wait: {
      safe: true,
      description: "Waits for so many seconds.",
      inputSchema: librarySchema(
        schema({ seconds: { type: "number", description: "At most 60." } }, ["seconds"]),
      ),
      fn: wait,
    },
  };
}

async function noteRead({ name }, { agent }) {
  try {
    return await readFile(join(agent.folder, `${name}.txt`), "utf8");
  } catch {
    throw new Error(`name is ${JSON.stringify(name)}; there is no such note`);
  }
}

async function noteWrite({ name, text, dryRun = false }, { agent }) {
  if (!dryRun) await writeFile(join(agent.folder, `${name}.txt`), text);
  return { result: [{ type: "text", text: `${text.length} characters` }], system: "A note has changed." };
}

async function wait({ seconds }, { signal }) {
  await setTimeout(seconds * 1000, undefined, { signal });
  return { waited: seconds };
}
