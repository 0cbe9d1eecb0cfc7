import { basename } from "node:path";
import { expectNone, expectThat } from "../expectation.js";
import { IMPORT_LIMIT_MS, type ModuleObservation, observeModules } from "../observation.js";
import type { ToolPackSubject } from "../subject.js";
import type { ToolPackCase } from "../tool-pack-case.js";

export const importCases: readonly ToolPackCase[] = [
  {
    name: "import",
    needs: "sandbox",
    why: "Every start of every host imports the modules: one that fails, hangs or leaves takes its tools away.",
    run: (subject) =>
      forEachModule(subject, ({ reply, ending }, name) => {
        expectThat(reply !== undefined, `${name} imported and described`, ending);
        expectThat(reply.failure === undefined, `${name} imported and described`, reply.failure);
        const expected = `${name} imported within ${IMPORT_LIMIT_MS} ms`;
        expectThat(reply.importMs <= IMPORT_LIMIT_MS, expected, `${reply.importMs} ms`);
      }),
  },
  {
    name: "import-changes-nothing",
    needs: "sandbox",
    why: "Describing tools is no permission to write: the host imports a module before anybody has agreed to a call.",
    run: (subject) =>
      forEachModule(subject, ({ reply, changed }, name) => {
        const attempts = (reply?.attempts ?? []).map(({ by, target }) => `${by} of ${target}`);
        expectNone(`an import of ${name} that changes no file and starts no process`, attempts);
        expectNone(`an import of ${name} that changes no file`, changed);
      }),
  },
  {
    name: "import-quiet",
    needs: "sandbox",
    why: "Output of a host is for its user, or for a program that reads it line by line.",
    run: (subject) =>
      forEachModule(subject, ({ printed }, name) => {
        expectThat(printed === "", `an import of ${name} that prints nothing`, printed);
      }),
  },
];

async function forEachModule(
  subject: ToolPackSubject,
  check: (module: ModuleObservation, name: string) => void,
): Promise<void> {
  for (const module of await observeModules(subject)) check(module, basename(module.file));
}
