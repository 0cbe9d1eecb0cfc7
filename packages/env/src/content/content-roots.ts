import { join, resolve } from "node:path";
import type { LayerName, LayerValue } from "../env.js";
import type { InstalledPackage } from "../packages/installed-package.js";
import type { ContentKind, ContentRoot } from "./skill.js";

export interface RootFacts {
  /** Real path of the project folder. */
  readonly cwd: string;
  /** The host's own content folders. */
  readonly host: readonly string[];
  readonly packages: readonly InstalledPackage[];
  /** The user's folder of settings. */
  readonly config: string;
  /** Where `~` is. */
  readonly home: string;
  /** `.agents` lies there. */
  readonly sharedHome: boolean;
  readonly hasLayer: (layer: LayerName) => boolean;
  /** Every layer's value of a settings key, weakest first. */
  readonly layersOf: (path: readonly string[]) => readonly LayerValue[];
}

/**
 * Where content is looked for, weakest first: the host, packages in their order, the user, folders that settings name,
 * the project. Plain paths: nothing is looked at here.
 */
export function contentRoots(facts: RootFacts): readonly ContentRoot[] {
  const { cwd, host, packages, config, home, sharedHome, hasLayer } = facts;
  const shared = sharedHome ? [join(home, ".agents/skills")] : [];
  const user = { ...standard("user", config), skills: [...shared, join(config, "skills")] };
  const project: ContentRoot = {
    kind: "project",
    path: cwd,
    trusted: false,
    skills: [join(cwd, ".agents/skills"), join(cwd, "ai-skills")],
    prompts: [join(cwd, "ai-prompts")],
    hooks: [],
  };
  return [
    ...host.map((folder) => standard("package", folder)),
    ...packages
      .filter(({ kinds }) => kinds.includes("content"))
      .map(({ folder }) => standard("packages", folder)),
    ...(hasLayer("user") ? [user] : []),
    ...namedFolders(facts, "skills"),
    ...namedFolders(facts, "prompts"),
    ...(hasLayer("project") ? [project] : []),
  ];
}

function standard(kind: ContentKind, path: string): ContentRoot {
  return {
    kind,
    path,
    trusted: true,
    skills: [join(path, "skills")],
    prompts: [join(path, "prompts")],
    hooks: [join(path, "hooks")],
  };
}

/** What the settings `skills.folders` and `prompts.folders` name, the strongest layer's list. */
function namedFolders(
  { cwd, home, layersOf }: RootFacts,
  what: "skills" | "prompts",
): readonly ContentRoot[] {
  const naming = layersOf([what, "folders"]).at(-1);
  if (naming === undefined || !Array.isArray(naming.value)) return [];
  const base = naming.file === undefined ? cwd : join(naming.file, "..");
  return naming.value
    .filter((folder): folder is string => typeof folder === "string")
    .map((folder) => {
      const path = folder.startsWith("~/") ? join(home, folder.slice(2)) : resolve(base, folder);
      const none = {
        kind: "user",
        path,
        trusted: true,
        skills: [],
        prompts: [],
        hooks: [],
        named: true,
      } as const;
      return { ...none, [what]: [path] };
    });
}
