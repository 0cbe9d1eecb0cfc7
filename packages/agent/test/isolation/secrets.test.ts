import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { noSandboxHere, openSandboxed, put, resultText, toolModule } from "../support/sandboxed-agent.js";

const missing = await noSandboxHere();
const standardTools = join(
  dirname(createRequire(import.meta.url).resolve("@ashlar/tools-std/package.json")),
  "dist/tools",
);

const SECRET = "s3cr3t-5d0c1b";

it.skipIf(missing !== undefined)(
  "shows a secret of the environment, the project's and the user's credential files nowhere",
  async () => {
    const look = toolModule(
      "look",
      `const texts = [JSON.stringify(process.env)];
       for (const pid of readdirSync("/proc").filter((name) => /^\\d+$/.test(name))) for (const file of ["environ", "cmdline", "status"])
         try { texts.push(readFileSync("/proc/" + pid + "/" + file, "latin1")); } catch {}
       for (const path of args.paths) try { texts.push(path + ": " + readFileSync(path, "utf8")); } catch (error) { texts.push(path + ": " + error.code); }
       return JSON.stringify({ texts, context: JSON.stringify(context) });`,
      "",
      'import { readdirSync, readFileSync } from "node:fs";',
    );
    process.env.ASHLAR_TEST_API_KEY = SECRET;
    try {
      const { agent, call, folder, home, events, env } = await openSandboxed({
        roots: [standardTools],
        modules: { "look.js": look },
        files: {
          "ai-auth-lab.json": JSON.stringify({ lab: { type: "bearer", token: SECRET } }),
          "notes.txt": "nothing",
        },
        environment: { ASHLAR_TEST_API_KEY: SECRET, PLAIN: `not known to be one: ${SECRET}` },
        settings: { providers: { lab: { url: "http://127.0.0.1:9", auth: { token: SECRET } } } },
      });
      const auth = { lab: { type: "bearer", token: SECRET } };
      await put(env.folders.config, { "auth-lab.json": JSON.stringify(auth), "settings.json": "{}" });
      await put(home, { ".ssh/id_ed25519": SECRET, ".netrc": SECRET, ".npmrc": SECRET });
      const paths = [
        join(folder, "ai-auth-lab.json"),
        join(env.folders.config, "auth-lab.json"),
        ...[".ssh/id_ed25519", ".netrc", ".npmrc"].map((name) => join(home, name)),
      ];
      const quoted = paths.map((path) => `'${path}'`).join(" ");
      const results = [
        await call("look", { paths }),
        await call("bash", {
          command: `env; cat /proc/*/environ; cat ${quoted} 2>&1; grep -r s3cr3t . ${quoted}`,
        }),
        ...(await Promise.all(paths.map((path) => call("read", { path })))),
        await call("read", { path: ".", search: { text: "s3cr3t" } }),
      ];
      expect(resultText(results[0] ?? fail())).toContain("ai-auth-lab.json: ");
      expect(JSON.stringify(results).replaceAll("s3cr3t .", "")).not.toContain(SECRET);
      expect(JSON.stringify([...events, ...agent.context.items(), env.diagnostics])).not.toContain(SECRET);
    } finally {
      delete process.env.ASHLAR_TEST_API_KEY;
    }
  },
);

function fail(): never {
  throw new Error("there is no result");
}
