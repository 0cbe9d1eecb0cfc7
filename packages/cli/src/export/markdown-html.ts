import { Marked } from "marked";
import { escaped } from "./html-text.js";

/** Longer texts are shown as they are: nobody reads them as a page, and reading them as Markdown costs much. */
const MAX_CHARACTERS = 200_000;
const SAFE_ADDRESS = /^(?:https?:|mailto:)/i;

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escaped(text),
    // The library leaves text behind a raw `<pre>` or `<script>` as it is.
    text(token) {
      return "tokens" in token && token.tokens ? this.parser.parseInline(token.tokens) : escaped(token.text);
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      return SAFE_ADDRESS.test(href)
        ? `<a href="${escaped(href)}" rel="noreferrer noopener">${text}</a>`
        : text;
    },
    // A page that loads nothing shows a picture's name.
    image: ({ href, text }) => `[${escaped(text === "" ? "image" : text)}: ${escaped(href)}]`,
    code: ({ text }) => `<pre><code>${escaped(text)}</code></pre>\n`,
    codespan: ({ text }) => `<code>${escaped(text)}</code>`,
  },
});

/** Markdown as HTML in which tags of the text stay text and no address is asked. */
export function markdownHtml(text: string): string {
  if (text.length > MAX_CHARACTERS) return preformatted(text);
  try {
    return `<div class="markdown">${marked.parse(text.toWellFormed(), { async: false })}</div>`;
  } catch {
    // Nested deeper than the parser can go; the text itself can always be shown.
    return preformatted(text);
  }
}

export function preformatted(text: string): string {
  return `<div class="text">${escaped(text)}</div>`;
}
