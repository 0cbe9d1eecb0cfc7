import type { ContextItem, SessionInfo } from "@ashlar/context";
import { messageAssistant, messageToolResult, messageUser, type SessionEntry } from "@ashlar/context";
import fc from "fast-check";
import { Marked } from "marked";
import { describe, expect, it } from "vitest";
import { conversationText } from "../../src/export/conversation-text.js";
import { htmlText } from "../../src/export/html.js";
import { isoMinute } from "../../src/export/item-parts.js";
import { markdownText } from "../../src/export/markdown.js";
import { type SessionDocument, sessionDocument } from "../../src/export/session-document.js";

const INFO: SessionInfo = { id: "s", created: 1, updated: 2 };

function documentOf(items: readonly ContextItem[], info: SessionInfo = INFO): SessionDocument {
  const entries = items.map((item, index): SessionEntry => {
    const stamp = {
      id: `e${index}`,
      seq: index + 1,
      parent: index === 0 ? null : `e${index - 1}`,
      at: index,
    };
    return typeof item.type === "string"
      ? { ...stamp, kind: "record", record: { ...item, type: item.type } }
      : { ...stamp, kind: "message", message: item as never };
  });
  return sessionDocument({ info, entries, damage: [] });
}

const markdown = (items: readonly ContextItem[], info?: SessionInfo): string =>
  Array.from(markdownText(documentOf(items, info))).join("");
const result = (content: string, name = "read"): ContextItem =>
  messageToolResult({ callId: "k", name, content });

/** Pieces of text that mean something to somebody. */
const pieces = fc.constantFrom(
  ...'<script>|</script>|<img src=x onerror=a()>|<pre>|</pre></details>|<!--|-->|<![CDATA[|]]>|&lt;|&#60;|"|\'|`|```|~~~|**|__|[|](javascript:a())|![|](http://x)|<http://x>|# |> |- |1. | | a | b |\n|\n\n|\n    |\t|<svg/onload=a()>|<a href="javascript:a()">|\\|word|<style>|</title>|http://example.invalid/"onclick="a()|<x@y.z>|\u0000|日本|\u202e'.split(
    "|",
  ),
);
const hostile = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(""));

describe("a session as Markdown", () => {
  it("keeps tool output in one block of code, whatever it is", () => {
    const marked = new Marked();
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string()), (text) => {
        const said = text.replaceAll(/[\r\t]/g, " ");
        const blocks = marked.lexer(markdown([result(`x${said}`)])).filter(({ type }) => type === "code");
        expect(blocks).toMatchObject([{ text: `x${said}`.replace(/\n$/, "") }]);
      }),
    );
  });

  it("closes a block of code that a message leaves open", () => {
    const text = markdown([
      messageUser("look:\n```js\nconst a = 1;"),
      messageAssistant("~~~~\n```\n~~~"),
      messageUser("end"),
    ]);
    const headings = new Marked().lexer(text).filter(({ type }) => type === "heading");
    expect(headings).toHaveLength(4);
  });

  it("lets no name begin a block of its own", () => {
    const text = markdown([result("x", "read\n# not a heading\n```")], {
      ...INFO,
      name: "a\n\n# b <i>c</i> [d](e)",
    });
    const headings = new Marked().lexer(text).filter(({ type }) => type === "heading");
    expect(headings).toHaveLength(2);
    expect(text).toMatch(/^# a \\# b \\<i\\>c\\<\/i\\> \\\[d\\\]\(e\)\n/);
  });
});

describe("a session as HTML", () => {
  const TAGS = new Set(
    "html head meta title style body h1 h2 h3 h4 h5 h6 dl dt dd article header b span div p details summary pre code strong em del a img table thead tbody tr th td ul ol li hr br blockquote input".split(
      " ",
    ),
  );
  const TAG = /<(\/?)([a-zA-Z][^\s>/]*)((?:[^>"]|"[^"]*")*)>/g;
  const ATTRIBUTE = /\s([^\s=>"/]+)(?:="([^"]*)")?/g;
  const ATTRIBUTES = new Set(
    "lang charset http-equiv content name class open href rel src alt align start type checked disabled".split(
      " ",
    ),
  );

  it("has only the tags, attributes and addresses that we wrote, whatever anybody said", () => {
    fc.assert(
      fc.property(hostile, hostile, (one, two) => {
        const items: ContextItem[] = [
          messageUser(`.${one}`),
          messageAssistant([
            { type: "thinking", text: `.${two}` },
            { type: "text", text: `.${one}${two}` },
            { type: "toolCall", callId: "k", name: one, arguments: { [two]: one } },
          ]),
          result(`.${two}`, two),
          { type: `note ${one}`, text: two },
        ];
        const page = Array.from(htmlText(documentOf(items, { ...INFO, name: one, cwd: two }))).join("");
        const body = page.slice(page.indexOf("<body>"));
        for (const [, , name = "", attributes = ""] of body.matchAll(TAG)) {
          expect(TAGS).toContain(name);
          for (const [, attribute = "", value = ""] of attributes.matchAll(ATTRIBUTE)) {
            expect(ATTRIBUTES).toContain(attribute);
            if (attribute === "href") expect(value).toMatch(/^(?:https?:|mailto:)/);
            if (attribute === "src") expect(value).toMatch(/^data:image\//);
          }
        }
        // What is no tag of ours is an escape.
        expect(body.replaceAll(TAG, "")).not.toMatch(/[<>]/);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a session as text", () => {
  it("says what a long tool output is cut from, and never cuts a character in two", () => {
    const long = `${"x".repeat(1_999)}🙂🙂`;
    const text = Array.from(conversationText(documentOf([result(long)]))).join("");
    expect(text).toContain("--full");
    expect(text).not.toContain("\ufffd");
    const full = Array.from(conversationText(documentOf([result(long)]), { full: true })).join("");
    expect(full).toContain("🙂🙂");
  });

  it.each([
    { at: Date.UTC(2026, 10, 30, 21, 35), shown: "2026-11-30 21:35Z" },
    { at: 1e300, shown: "time unknown" },
    { at: Number.NaN, shown: "time unknown" },
    { at: -1, shown: "1969-12-31 23:59Z" },
  ])("shows the time $at of any clock as $shown", ({ at, shown }) => {
    expect(isoMinute(at)).toBe(shown);
  });
});
