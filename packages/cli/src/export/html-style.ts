/** The look of an exported page: nothing is loaded, light and dark as the reader's system. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --ink: #1d2126; --quiet: #5c6670; --paper: #fbfaf7; --line: #d9d6ce; --tint: #f0eee8; --user: #2f6f9f; --model: #7a5c1e; --bad: #a32b2b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e2dc; --quiet: #9aa2aa; --paper: #17191c; --line: #34383d; --tint: #202327; --user: #79b4e0; --model: #d8b66a; --bad: #ef8d8d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 54rem; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2.branch { margin-top: 3rem; border-bottom: 2px solid var(--line); font-size: 1.2rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; color: var(--quiet); }
dd { margin: 0; }
article { margin-top: 1.25rem; padding: .1rem 0 .4rem 1rem; border-left: 3px solid var(--line); }
article.user { border-color: var(--user); }
article.assistant { border-color: var(--model); }
article.summary { background: var(--tint); }
article > header { display: flex; flex-wrap: wrap; gap: .2rem .75rem; color: var(--quiet); font-size: .85rem; }
article > header b { color: var(--ink); }
.label { padding: 0 .45rem; border: 1px solid var(--line); border-radius: .6rem; }
pre { overflow: auto; max-height: 32rem; padding: .7rem; background: var(--tint); border: 1px solid var(--line); border-radius: .3rem; font: .85rem/1.45 ui-monospace, monospace; white-space: pre-wrap; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
.text { white-space: pre-wrap; }
details { margin: .5rem 0; }
summary { cursor: pointer; color: var(--quiet); }
.thinking { color: var(--quiet); font-style: italic; }
.error, .damage { color: var(--bad); }
img { max-width: 100%; }
table { border-collapse: collapse; }
th, td { padding: .2rem .6rem; border: 1px solid var(--line); }
`;
