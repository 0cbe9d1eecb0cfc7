import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openProject, type Project } from "../open-project.js";

const commented = `{
  // see http://wiki.example/x
  "model": "m1",
  "endpoint": "http://127.0.0.1:9/v1",
  "allow": ["Read(//srv/data/**)", "a /* not a comment */ b"],
}
`;
const healthy = '{ "healthy": { "value": 1 } }';

const layers = [
  { layer: "user", other: "project" },
  { layer: "project", other: "user" },
] as const;

const fileOf = (project: Project, layer: "user" | "project"): string =>
  layer === "user" ? project.userFile : project.projectFile;

const openWith = (layer: "user" | "project", text: string): Promise<Project> =>
  openProject(layer === "user" ? { user: text, project: healthy } : { user: healthy, project: text });

describe.each(layers)("in the $layer layer", ({ layer, other }) => {
  it.each([
    { why: "comments, slashes in strings and a trailing comma", text: commented },
    { why: "the same behind a byte order mark", text: `\uFEFF${commented}` },
  ])("reads a file with $why, and a save keeps them", async ({ text }) => {
    const opened = await openWith(layer, text);
    const { env } = opened;
    expect(env.settings.model).toBe("m1");
    expect(env.settings.allow).toEqual(["Read(//srv/data/**)", "a /* not a comment */ b"]);
    expect(env.settings.healthy).toEqual({ value: 1 });

    env.settings.model = "m2";
    await env.settingsFlush();
    expect(await readFile(fileOf(opened, layer), "utf8")).toBe(text.replace('"m1"', '"m2"'));
    expect(await readFile(fileOf(opened, other), "utf8")).toBe(healthy);
  });

  it.each([
    { why: "two commas in a row", text: '{"model":"m1",,}', line: 1, column: 15 },
    {
      why: "a text cut inside a string",
      text: '{\n  "model": "m1",\n  "allow": ["Read(//s',
      line: 3,
      column: 13,
    },
    { why: "a list instead of an object", text: '["model"]', line: 1, column: 1 },
  ])("names file, line and column of $why, and never writes over it", async ({ text, line, column }) => {
    const opened = await openWith(layer, text);
    const { env } = opened;
    const file = fileOf(opened, layer);
    expect(env.diagnostics).toContainEqual(
      expect.objectContaining({
        kind: "settings",
        file,
        message: expect.stringContaining(`${file}:${line}:${column}: `),
      }),
    );
    expect(env.settings.model).toBeUndefined();
    expect(env.settings.healthy).toEqual({ value: 1 });

    const save = (): void => {
      env.settings.model = "m2";
    };
    if (layer === "user") {
      expect(save).toThrow(expect.objectContaining({ kind: "settings", details: { file, line, column } }));
      expect(env.settings.model).toBeUndefined();
    } else {
      // The broken file cannot take it, so the healthy layer does.
      save();
      await env.settingsFlush();
      expect(env.settings.model).toBe("m2");
      expect(await readFile(opened.userFile, "utf8")).toContain('"m2"');
    }
    await env.close();
    expect(await readFile(file, "utf8")).toBe(text);
  });

  it("takes an empty file for no settings", async () => {
    const opened = await openWith(layer, "");
    const { env } = opened;
    expect(env.diagnostics.filter(({ message }) => message.includes("parse"))).toEqual([]);
    expect(env.settings.healthy).toEqual({ value: 1 });
    expect(env.settings.model).toBeUndefined();
    env.settings.model = "m2";
    await env.settingsFlush();
    expect(await readFile(opened.userFile, "utf8")).toContain('"model": "m2"');
  });
});

it("says what could not be saved in the background, and again where it was waited for", async () => {
  const { env, userFile } = await openProject({ user: "{}" });
  env.settings.model = "m2";
  await writeFile(userFile, "{");
  await expect(env.settingsFlush()).rejects.toMatchObject({ kind: "settings", details: { file: userFile } });
  env.settings.model = "m3";
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(env.diagnostics).toContainEqual(expect.objectContaining({ kind: "settings", file: userFile }));
  await expect(env.close()).rejects.toMatchObject({ kind: "settings", details: { file: userFile } });
  expect(env.closed).toBe(true);
  expect(await readFile(userFile, "utf8")).toBe("{");
});
