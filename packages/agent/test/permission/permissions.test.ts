import type { Question } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { callTools, safeTool } from "../support/call-tools.js";
import { openSandboxed, put } from "../support/sandboxed-agent.js";

const tools = { look: safeTool(() => "seen"), other: safeTool(() => "other") };
const rules = (...permissions: readonly object[]) => ({ envSettings: { permissions } });

describe("a call that a rule names", () => {
  it("is refused, with the rule, and the run ends with code 7", async () => {
    const { texts, result } = await callTools(
      [{ name: "look", args: { path: "a/b" } }, { name: "other" }],
      tools,
      rules({ tool: "look", arguments: { path: "a/*" }, action: "deny" }),
    );
    expect(texts[0]).toBe('look was not run: a rule of the host for look with path "a/*" denies it.');
    expect(texts[1]).toBe("other");
    expect(result).toMatchObject({ kind: "refused", exitCode: 7 });
  });

  it("is refused when a person should be asked and nobody is there", async () => {
    const { texts } = await callTools([{ name: "look" }], tools, rules({ tool: "look", action: "ask" }));
    expect(texts[0]).toContain("wants a person asked, and nobody is there");
  });

  it.each([
    { why: "the person allows it", answer: { labels: ["Allow"] }, text: "seen" },
    { why: "the person refuses", answer: { labels: ["Refuse"] }, text: /did not allow it/ },
    { why: "the person writes something", answer: { text: "Allow" }, text: /did not allow it/ },
    { why: "the person turns away", answer: { abandoned: true as const }, text: /did not allow it/ },
  ])("runs as the answer says: $why", async ({ answer, text }) => {
    const asked: Question[] = [];
    const { texts } = await callTools([{ name: "look", args: { path: "x" } }], tools, {
      ...rules({ tool: "look", action: "ask" }),
      question: {
        ask: async (questions) => {
          asked.push(...questions);
          return [answer];
        },
      },
    });
    expect(texts[0]).toMatch(text);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ header: "Permission", details: '{"path":"x"}' });
    expect(asked[0]?.question).toContain("look");
  });

  it("asks one question at a time", async () => {
    let open = 0;
    let most = 0;
    const { texts } = await callTools([{ name: "look" }, { name: "look" }, { name: "look" }], tools, {
      ...rules({ tool: "*", action: "ask" }),
      question: {
        ask: async () => {
          open += 1;
          most = Math.max(most, open);
          await new Promise((resolve) => setTimeout(resolve, 5));
          open -= 1;
          return [{ labels: ["Allow"] }];
        },
      },
    });
    expect(texts).toEqual(["seen", "seen", "seen"]);
    expect(most).toBe(1);
  });

  it("is refused when the rules cannot be read", async () => {
    const { texts } = await callTools([{ name: "look" }], tools, rules({ tool: "look", action: "forbid" }));
    expect(texts[0]).toContain("permissions[0].action must be allow, ask or deny");
  });
});

it("lets a project deny, and never allow what the user denies", async () => {
  const { call, env } = await openSandboxed({
    files: {
      "ai-settings.json": JSON.stringify({
        permissions: [
          { tool: "a", action: "allow" },
          { tool: "b", action: "deny" },
        ],
      }),
    },
    modules: Object.fromEntries(
      ["a", "b"].map((name) => [
        `${name}.js`,
        `export const toolDescription = () => ({ ${name}: { description: "d", safe: true, inputSchema: { type: "object" } } }); export const ${name} = () => "ran";`,
      ]),
    ),
  });
  expect((await call("a")).refused).toBeUndefined();
  expect((await call("b")).refused).toContain("the project's settings");
  await put(env.folders.config, {
    "settings.json": JSON.stringify({ permissions: [{ tool: "a", action: "deny" }] }),
  });
  await env.toolsRefresh();
  expect((await call("a")).refused).toContain("the user's settings");
});
