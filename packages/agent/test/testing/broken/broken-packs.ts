import type { ToolPackSubject } from "../../../src/testing/index.js";
import { brokenPack } from "../pack-subject.js";

/** A package with one mistake, and how the kit must find it. */
export interface BrokenPack {
  readonly mistake: string;
  /** Name of the case that fails. */
  readonly fails: string;
  /** What the failure says. */
  readonly says: RegExp;
  readonly subject: ToolPackSubject;
}

export const brokenPacks: readonly BrokenPack[] = [
  {
    mistake: "declares no contract",
    fails: "contract",
    says: /"ashlar": \{ "tools": 1 \} in package.json; came nothing/,
    subject: brokenPack("no-contract"),
  },
  {
    mistake: "depends on the host",
    fails: "dependencies",
    says: /beside @ashlar\/context that comes along; came @ashlar\/env/,
    subject: brokenPack("host-in-dependencies"),
  },
  {
    mistake: "does not end its import",
    fails: "import",
    says: /notes.js imported and described; came .*did not end within 5000 ms/,
    subject: brokenPack("hangs-at-import"),
  },
  {
    mistake: "leaves its process at import",
    fails: "import",
    says: /notes.js imported and described; came its process ended with code 0/,
    subject: brokenPack("leaves-at-import"),
  },
  {
    mistake: "writes at import and keeps quiet about what was refused",
    fails: "import-changes-nothing",
    says: /import of notes.js that changes no file .*came writeFileSync of .*broken\/writes-at-import\/planted.txt; .*\/agent\/planted.txt; .*\/home\/planted.txt/,
    subject: brokenPack("writes-at-import"),
  },
  {
    mistake: "starts a program at import",
    fails: "import-changes-nothing",
    says: /starts no process; came execFileSync of sh/,
    subject: brokenPack("starts-a-program-at-import"),
  },
  {
    mistake: "prints at import",
    fails: "import-quiet",
    says: /prints nothing; came counting tools ready/,
    subject: brokenPack("prints-at-import"),
  },
  {
    mistake: "misspells a field",
    fails: "descriptions",
    says: /description of count that the contract knows; came .*readonly.*readOnly/,
    subject: brokenPack("misspelt-field"),
  },
  {
    mistake: "refers to a part of its schema that is not there",
    fails: "descriptions",
    says: /that a host takes; came .*#\/\$defs\/text" points at nothing/,
    subject: brokenPack("dead-reference"),
  },
  {
    mistake: "describes a tool in one word",
    fails: "descriptions",
    says: /count with 10 to 1024 characters; came 6 characters/,
    subject: brokenPack("says-nothing"),
  },
  {
    mistake: "describes two tools by one name",
    fails: "unique-names",
    says: /one description for each name; came count/,
    subject: brokenPack("same-name-twice"),
  },
  {
    mistake: "describes a tool that it does not have",
    fails: "callables",
    says: /a function for each described tool.*; came count/,
    subject: brokenPack("no-function"),
  },
  {
    mistake: "leaves the choice to oneOf",
    fails: "portable-schemas",
    says: /came inputSchema.properties.text has oneOf/,
    subject: brokenPack("one-of"),
  },
  {
    mistake: "describes no argument",
    fails: "portable-schemas",
    says: /came inputSchema.properties.text has no description/,
    subject: brokenPack("undescribed-property"),
  },
  {
    mistake: "has a tool that no sample shows",
    fails: "samples",
    says: /a sample call of each tool; there is none of; came count/,
    subject: { ...brokenPack("never-shown"), calls: [] },
  },
  {
    mistake: "has a schema that refuses the sample",
    fails: "arguments",
    says: /a schema of count that takes \{"text":"stone"\} as it is; came .*text.*integer/,
    subject: brokenPack("refuses-its-sample"),
  },
  {
    mistake: "gives a result that holds itself",
    fails: "results",
    says: /that JSON can carry; came result.parts.0, which holds itself/,
    subject: brokenPack("cyclic-result"),
  },
  {
    mistake: "gives no result",
    fails: "results",
    says: /that JSON can carry; came nothing; a result is/,
    subject: brokenPack("no-result"),
  },
  {
    mistake: "answers where its sample says that it refuses",
    fails: "results",
    says: /an error of count\(.*\) with the words no text; came a result/,
    subject: {
      ...brokenPack("changes-more-than-it-says"),
      calls: [{ tool: "count", args: { text: "" }, throws: "no text" }],
    },
  },
  {
    mistake: "gives five million characters",
    fails: "bounded-results",
    says: /at most 262144 characters.*; came 5000000 characters/,
    subject: brokenPack("floods"),
  },
  {
    mistake: "prints in a call",
    fails: "calls-quiet",
    says: /prints nothing; came counting stone/,
    subject: brokenPack("prints-in-a-call"),
  },
  {
    mistake: "writes beside the agent folder",
    fails: "confinement",
    says: /writes in the agent folder only; came planted.txt/,
    subject: brokenPack("writes-beside"),
  },
  {
    mistake: "changes a file that it does not speak of",
    fails: "changes",
    says: /that changes \[\] only; came counts.txt/,
    subject: brokenPack("changes-more-than-it-says"),
  },
  {
    mistake: "says that it changes a file which it leaves alone",
    fails: "changes",
    says: /it leaves as they were; came other.txt/,
    subject: brokenPack("changes-more-than-it-says", ["counts.txt", "other.txt"]),
  },
  {
    mistake: "says safe, writes, and keeps quiet about what was refused",
    fails: "safe-tools",
    says: /that changes nothing; came agent\/planted.txt; home\/planted.txt/,
    subject: brokenPack("safe-and-writes"),
  },
  {
    mistake: "says safe, writes where the sandbox refuses it, and keeps quiet",
    fails: "confinement",
    says: /writes in the agent folder only; came home\/planted.txt/,
    subject: brokenPack("safe-and-writes"),
  },
  {
    mistake: "says safe and writes by another program",
    fails: "safe-tools",
    says: /that changes nothing; came agent\/counts.txt/,
    subject: brokenPack("safe-and-needs-to-write", ["counts.txt"]),
  },
  {
    mistake: "calls a call that writes harmless",
    fails: "read-only-claims",
    says: /that changes nothing; came agent\/counts.txt/,
    subject: brokenPack("read-only-lie", ["counts.txt"]),
  },
  {
    mistake: "does not name all that it writes",
    fails: "named-writes",
    says: /to name all that count\(.*\) writes; came agent\/log.txt/,
    subject: brokenPack("forgets-what-it-writes", ["counts.txt", "log.txt"]),
  },
  {
    mistake: "ignores its signal",
    fails: "abort",
    says: /within 3000 ms of its signal; came none/,
    subject: brokenPack("ignores-its-signal"),
  },
  {
    mistake: "never lets go of its process",
    fails: "abort",
    says: /within 3000 ms of its signal; came its process was ended: timed-out/,
    subject: brokenPack("blocks"),
  },
  {
    mistake: "crashes on an argument that it does not know",
    fails: "unknown-arguments",
    says: /an error that is written for a model; came .*TypeError.*is not a function/,
    subject: brokenPack("crashes-on-the-unknown"),
  },
];
