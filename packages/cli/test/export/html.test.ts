import { join } from "node:path";
import { Context, messageAssistant, messageToolResult, messageUser } from "@ashlar/context";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPlace, keep, type Place } from "../sessions/fixture.js";
import { Chromium, findChromium } from "../support/chromium.js";
import { readPicture } from "../support/png.js";

/** Marks the page when it runs, whatever it stands in. */
const script = (where: string): string =>
  `<script>document.title = "ran in ${where}"; window.ran = true</script>`;
const handler = (where: string): string => `"><img src=x onerror="window.ran='${where}'"><b title='`;
/** One pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A conversation in which everything that can carry text carries an attack. */
async function keepHostile(place: Place): Promise<string> {
  const id = await keep(place, {
    name: `${script("name")}${handler("name")}`,
    items: [
      messageUser(`${script("user")} ${handler("user")} 石桥 שלום`),
      messageAssistant([
        { type: "thinking", text: script("thinking") },
        {
          type: "text",
          text: [
            script("assistant"),
            "**bold words** and `code < & >`",
            "[a link](https://example.invalid/x) [bad](javascript:window.ran='link') [worse](<data:text/html,x>)",
            "![a picture](https://example.invalid/p.png)",
            "<pre><img src=x onerror=\"window.ran='raw'\"> x < y</pre>",
            `\`\`\`html\n${script("code")}\n\`\`\``,
            "| a | b |\n| - | - |\n| <i>x</i> | y |",
            '<svg onload="window.ran=\'svg\'"></svg> <iframe src="https://example.invalid"></iframe>',
          ].join("\n\n"),
        },
        {
          type: "toolCall",
          callId: handler("id"),
          name: handler("tool"),
          arguments: { [handler("key")]: script("value") },
        },
      ]),
      messageToolResult({
        callId: handler("id"),
        name: handler("tool"),
        content: [
          { type: "text", text: `</pre></details>${script("result")}\u001b[2J\u0000` },
          { type: "image", content: PNG, mimetype: "image/png" },
          { type: "image", content: `${PNG}"onerror="window.ran='image'`, mimetype: "image/png" },
          { type: "image", content: "PHN2Zy8+", mimetype: "image/svg+xml" },
          { type: "binary", content: "AAAA", filename: handler("file"), mimetype: handler("type") },
        ],
      }),
      { type: handler("record"), data: script("record") },
      {
        type: 3,
        content: [{ type: handler("block"), text: script("block") } as never],
        error: script("error"),
      },
    ],
  });
  const context = await Context.open({ store: await place.repository.open(id) });
  context.label(0, `${script("label")}${handler("label")}`);
  await context.close();
  return id;
}

const program = findChromium();

describe("an exported page", () => {
  let place: Place;
  beforeEach(async () => {
    place = await createPlace();
  });
  afterEach(() => place.remove());

  it("has no tag but its own, whatever the session says", async () => {
    const id = await keepHostile(place);
    const { code, stdout } = await place.run(["sessions", "export", id, "--html", "--branches"]);
    expect(code).toBe(0);
    const tags = new Set(
      Array.from(stdout.matchAll(/<\/?([a-z0-9]+)/gi), ([, name = ""]) => name.toLowerCase()),
    );
    const own =
      "html head meta title style body h1 dl dt dd article header b span div p details summary pre code strong em a img table thead tbody tr th td ul ol li hr br blockquote h2 h3 h4 h5 h6 del input";
    expect([...tags].filter((tag) => !own.split(" ").includes(tag))).toEqual([]);
    expect(stdout).not.toMatch(/<[^>]*\son[a-z]+\s*=/i);
    expect(stdout).toContain("&lt;script&gt;");
    expect(Array.from(stdout.matchAll(/\s(?:src|href)="([^"]*)"/g), ([, address]) => address)).toEqual([
      "https://example.invalid/x",
      `data:image/png;base64,${PNG}`,
    ]);
    expect(stdout).toContain("<strong>bold words</strong>");
    expect(stdout).not.toContain("\u001b");
  });

  it("shows a message nested deeper than Markdown can be read, as it is", async () => {
    const deep = `${">".repeat(20_000)} deep`;
    const id = await keep(place, { items: [messageUser(deep)] });
    const { code, stdout } = await place.run(["sessions", "export", id, "--html"]);
    expect(code).toBe(0);
    expect(stdout).toContain("deep");
  });
});

describe.skipIf(program === undefined)("an exported page in Chromium (apt-get install chromium)", () => {
  let place: Place;
  let browser: Chromium;
  beforeAll(async () => {
    place = await createPlace();
    browser = Chromium.start(program ?? "");
  });
  afterAll(async () => {
    await browser.close();
    await place.remove();
  });

  it("is drawn, runs nothing, asks for nothing and complains of nothing", async () => {
    const id = await keepHostile(place);
    const file = join(place.project, "page.html");
    await place.run(["sessions", "export", id, "-o", file]);
    const { targetId } = await browser.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.send("Target.attachToTarget", { targetId, flatten: true });
    const page = String(sessionId);
    const ask = (method: string, params: object = {}) => browser.send(method, params, page);
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await ask(`${domain}.enable`);
    const loaded = browser.next("Page.loadEventFired");
    await ask("Page.navigate", { url: `file://${encodeURI(file)}` });
    await loaded;

    const { result } = await ask("Runtime.evaluate", {
      expression: "JSON.stringify([document.title, String(window.ran), document.body.innerText])",
    });
    const [title, ran, text]: readonly string[] = JSON.parse(String(Object(result).value));
    expect(title).toContain("<script>");
    expect(ran).toBe("undefined");
    for (const where of ["user", "assistant", "label", "error"]) expect(text).toContain(`ran in ${where}`);

    const complaints = browser.events.filter(({ method }) =>
      ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"].includes(method ?? ""),
    );
    expect(complaints).toEqual([]);
    const asked = browser.events.flatMap(({ method, params }) =>
      method === "Network.requestWillBeSent" ? [String(Object(params?.request).url)] : [],
    );
    expect(asked.filter((url) => !url.startsWith("file://") && !url.startsWith("data:"))).toEqual([]);

    for (const scheme of ["light", "dark"]) {
      await ask("Emulation.setEmulatedMedia", {
        features: [{ name: "prefers-color-scheme", value: scheme }],
      });
      const { data } = await ask("Page.captureScreenshot", { format: "png" });
      const { width, height, different } = readPicture(Buffer.from(String(data), "base64"));
      expect(width * height).toBeGreaterThan(100_000);
      expect(different).toBeGreaterThan(50);
    }
  });
});
