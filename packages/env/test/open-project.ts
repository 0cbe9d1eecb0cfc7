import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Env, type EnvOptions } from "@ashlar/env";
import { onTestFinished } from "vitest";
import { put, tempFolder } from "./temp-folder.js";

export interface Project {
  readonly env: Env;
  /** The project folder. */
  readonly folder: string;
  readonly userFile: string;
  readonly projectFile: string;
  /** What stands in for the home of the user's folders. */
  readonly home: string;
}

export interface ProjectSource {
  readonly user?: string | undefined;
  readonly project?: string | undefined;
  readonly options?: EnvOptions;
}

/** An Env of a new folder with these settings files. Closed after the test, whatever could not be saved. */
export async function openProject({ user, project, options }: ProjectSource = {}): Promise<Project> {
  const home = await tempFolder();
  const folder = join(await tempFolder(), "project");
  await mkdir(folder);
  const userFile = join(home, "config/settings.json");
  const projectFile = join(folder, "ai-settings.json");
  if (user !== undefined) await put(userFile, user);
  if (project !== undefined) await put(projectFile, project);
  const env = await Env.open(folder, {
    collect: false,
    ...options,
    environment: { ASHLAR_HOME: home, ...options?.environment },
  });
  // A test that leaves a broken file behind has seen its error already.
  onTestFinished(() => env.close().catch(() => undefined));
  return { env, folder, userFile, projectFile, home };
}
