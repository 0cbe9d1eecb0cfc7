import { TOOL_CONTRACT } from "@ashlar/context/tool";
import { isObject } from "../../loop/json-object.js";
import { expectNone, expectThat } from "../expectation.js";
import { manifestOf } from "../pack-folder.js";
import type { ToolPackCase } from "../tool-pack-case.js";

/** Parts of a manifest whose packages come along when the pack is installed. */
const INSTALLED = ["dependencies", "peerDependencies", "optionalDependencies"] as const;

export const packageCases: readonly ToolPackCase[] = [
  {
    name: "contract",
    why: "A host loads the tools of a package that says which contract they follow, and of no other.",
    run: async ({ folder }) => {
      const { ashlar } = await manifestOf(folder);
      const declared = isObject(ashlar) ? ashlar.tools : undefined;
      expectThat(
        declared === TOOL_CONTRACT,
        `"ashlar": { "tools": ${TOOL_CONTRACT} } in package.json`,
        declared,
      );
    },
  },
  {
    name: "dependencies",
    why: "A pack that lists the host breaks with each of its releases, or brings a second copy of it.",
    run: async ({ folder }) => {
      const manifest = await manifestOf(folder);
      const listed = INSTALLED.flatMap((part) => {
        const packages = manifest[part];
        return isObject(packages) ? Object.keys(packages) : [];
      });
      const ours = listed.filter((name) => name.startsWith("@ashlar/") && name !== "@ashlar/context");
      expectNone("no package of Ashlar beside @ashlar/context that comes along", ours);
    },
  },
];
