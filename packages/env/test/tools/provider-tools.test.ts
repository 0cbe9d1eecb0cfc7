import { describe, expect, it } from "vitest";
import { callRefusal } from "../../src/tools/tool-call-rule.js";
import { joinSources, toolInfos } from "../../src/tools/tool-catalogue.js";
import { sourceOfDescriptions } from "../../src/tools/tool-module.js";

const local = {
  description: "Local search.",
  inputSchema: { type: "object", properties: { query: { type: "string" } } },
  fn: () => "x",
};
const catalogue = joinSources([sourceOfDescriptions({ "web-search": local, zip: local }, "host")]);
const infosFor = (tools: Readonly<Record<string, object>>, safe = false) =>
  toolInfos(catalogue, { safe, provider: { endpoint: "lab", tools } });

describe("a provider's own tools", () => {
  it("stand in for the tool of the same name and take from it what they do not say", () => {
    const info = infosFor({ "web-search": {} }).get("web-search");
    expect(info).toMatchObject({ provider: "lab", owner: "lab", safe: true, description: "Local search." });
    expect(info?.schema).toEqual(local.inputSchema);
    expect(infosFor({}).get("web-search")?.provider).toBeUndefined();
  });

  it("come beside the others, in the order of the names", () => {
    const infos = infosFor({
      browse: { description: "Browses.", inputSchema: { properties: { url: { type: "string" } } } },
    });
    expect([...infos.keys()]).toEqual(["browse", "web-search", "zip"]);
    expect(infos.get("browse")?.schema).toEqual({ type: "object", properties: { url: { type: "string" } } });
    expect([...infosFor({ browse: {} }, true).keys()]).toEqual(["browse"]);
  });

  it("are left out when their schema is none", () => {
    expect([...infosFor({ browse: { inputSchema: { properties: [] } } }).keys()]).toEqual([
      "web-search",
      "zip",
    ]);
  });

  it("are not run by this process", () => {
    const info = infosFor({ "web-search": {} }).get("web-search");
    expect(info && callRefusal(info, { safe: true, readOnly: true })).toContain("lab");
  });
});
