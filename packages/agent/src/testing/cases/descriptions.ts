import { defineTool } from "@ashlar/context/tool";
import { expectNone, expectThat } from "../expectation.js";
import { hostDescription, withHost } from "../host-reading.js";
import { describedTools } from "../observation.js";
import type { DescribedEntry } from "../pack-message.js";
import { portabilityProblems } from "../schema-portability.js";
import type { ToolPackSubject } from "../subject.js";
import type { ToolPackCase } from "../tool-pack-case.js";

/** What the strictest server takes of a description, and what says anything at all. */
const MAX_DESCRIPTION_CHARACTERS = 1_024;
const MIN_DESCRIPTION_CHARACTERS = 10;

export const descriptionCases: readonly ToolPackCase[] = [
  {
    name: "descriptions",
    needs: "sandbox",
    why: "A model knows of a tool what its description says, and a host leaves out what it cannot read.",
    run: async (subject) => {
      const entries = await entriesOf(subject);
      expectThat(entries.length > 0, "a description of at least one tool", "none");
      await withHost(entries, ({ diagnostics }) =>
        expectNone(
          "descriptions that a host takes",
          diagnostics.map(({ message }) => message),
        ),
      );
      for (const entry of entries) {
        const { length } = knownDescription(entry).trim();
        const fits = length >= MIN_DESCRIPTION_CHARACTERS && length <= MAX_DESCRIPTION_CHARACTERS;
        const wanted = `${MIN_DESCRIPTION_CHARACTERS} to ${MAX_DESCRIPTION_CHARACTERS} characters`;
        expectThat(fits, `a description of ${entry.name} with ${wanted}`, `${length} characters`);
      }
    },
  },
  {
    name: "unique-names",
    needs: "sandbox",
    why: "Of two tools with one name, a model can call only one.",
    run: async (subject) => {
      const names = (await entriesOf(subject)).map(({ name }) => name);
      const twice = names.filter((name, index) => names.indexOf(name) !== index);
      expectNone("one description for each name", twice);
    },
  },
  {
    name: "callables",
    needs: "sandbox",
    why: "A tool that is described and not there fails when a model has already chosen it.",
    run: async (subject) => {
      const lost = (await entriesOf(subject)).filter(({ callable }) => !callable).map(({ name }) => name);
      expectNone("a function for each described tool, exported under its name or as fn", lost);
    },
  },
  {
    name: "portable-schemas",
    needs: "sandbox",
    why: "A server refuses the whole request when it does not understand the schema of one tool.",
    run: async (subject) => {
      for (const { name, data } of await entriesOf(subject))
        expectNone(`a schema of ${name} that every server takes`, portabilityProblems(data.inputSchema));
    },
  },
  {
    name: "samples",
    needs: "sandbox",
    why: "A tool that no sample call shows is not tested by any other case.",
    run: async (subject) => {
      const described = (await entriesOf(subject)).map(({ name }) => name);
      const called = new Set(subject.calls.map(({ tool }) => tool));
      const unseen = described.filter((name) => !called.has(name));
      expectNone("a sample call of each tool; there is none of", unseen);
      const unknown = [...called].filter((name) => !described.includes(name));
      expectNone("sample calls of described tools; nobody describes", unknown);
    },
  },
  {
    name: "arguments",
    needs: "sandbox",
    why: "The host checks arguments against the schema before a call: what the schema refuses never runs.",
    run: async (subject) =>
      withHost(await entriesOf(subject), (host) => {
        for (const { tool, args } of subject.calls.filter((call) => host.has(call.tool))) {
          const checked = host.validate(tool, args);
          const problems = checked.ok ? checked.notes : checked.problems;
          expectNone(`a schema of ${tool} that takes ${JSON.stringify(args)} as it is`, problems);
        }
      }),
  },
];

/** The description of an entry without a field that the contract does not know: such a field does nothing. */
function knownDescription(entry: DescribedEntry): string {
  try {
    return defineTool(hostDescription(entry)).description;
  } catch (error) {
    expectThat(false, `a description of ${entry.name} that the contract knows`, error);
  }
}

async function entriesOf(subject: ToolPackSubject): Promise<readonly DescribedEntry[]> {
  return (await describedTools(subject)).map(({ entry }) => entry);
}
