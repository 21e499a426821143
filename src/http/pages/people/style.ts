/** The style of all pages. Colours are explicit in both schemes; text has a contrast of 4.5:1, controls have 3:1. */
export const style = `:root { color-scheme: light dark; --bg: #fff; --text: #1b1b1b; --muted: #555; --link: #0b4fb3;
  --visited: #6b2c91; --line: #c9c9c9; --control: #6f6f6f; --soft: #f3f3f3; --mark: #ffe58a; --passage: #e6f1ff; --bad: #a3160d; }
@media (prefers-color-scheme: dark) {
  :root { --bg: #131313; --text: #e9e9e9; --muted: #b0b0b0; --link: #8db8ff; --visited: #cf9ef5; --line: #444;
    --control: #999; --soft: #222; --mark: #5f4b00; --passage: #16283f; --bad: #ff9a92; } }
* { box-sizing: border-box; }
html { background: var(--bg); color: var(--text); }
body { max-width: 48rem; margin: 0 auto; padding: 0 1rem 3rem; font: 1rem/1.6 system-ui, sans-serif; background: var(--bg);
  color: var(--text); overflow-wrap: anywhere; }
a { color: var(--link); }
a:visited { color: var(--visited); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--bg); padding: .5rem; z-index: 1; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
nav a, .actions a, .meta a, button, .hosts a { display: inline-block; min-height: 1.75rem; padding: .1rem .25rem; }
header nav { padding: .5rem 0; border-bottom: 1px solid var(--line); }
nav [aria-current] { font-weight: bold; color: var(--text); }
h1, h2, h3, h4, h5, h6 { line-height: 1.3; margin: 1.5rem 0 .5rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; } h3 { font-size: 1.1rem; } h4, h5, h6 { font-size: 1rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.box { display: flex; gap: .5rem; margin: 1.25rem 0 .75rem; }
.box input { flex: 1; min-width: 0; }
input, select, button, textarea { font: inherit; color: var(--text); background: var(--bg); border: 1px solid var(--control);
  border-radius: .3rem; min-height: 2.75rem; padding: .3rem .6rem; max-width: 100%; }
button { cursor: pointer; background: var(--soft); }
.filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; border: 0; padding: 0; margin: 0 0 1rem; min-width: 0; }
.filters label { display: flex; flex-direction: column; font-size: .85rem; color: var(--muted); }
.fields { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin: 0 0 1rem; }
.fields label { display: flex; flex-direction: column; font-size: .85rem; color: var(--muted); min-width: 0; }
.fields .wide { flex: 1 1 100%; }
.fields .check { flex-direction: row; align-items: center; gap: .5rem; min-height: 2.75rem; }
.fields .check input { min-height: 1.5rem; width: 1.5rem; }
.results { list-style: none; padding: 0; margin: 0; }
.results > li { margin: 0 0 1.5rem; }
.results h2, .results h3 { font-size: 1.1rem; margin: 0; font-weight: 600; }
.results h2 a, .results h3 a { display: inline-block; min-height: 1.75rem; }
.results p { margin: .15rem 0; }
.where, .meta, .count, .hint { color: var(--muted); font-size: .9rem; }
.meta { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: center; }
.notice { border-left: 4px solid var(--control); padding: .25rem .75rem; background: var(--soft); }
.error { border-color: var(--bad); }
mark { background: var(--mark); color: var(--text); }
.passage { background: var(--passage); }
.paging { justify-content: space-between; margin-top: 2rem; }
pre, code { font-family: ui-monospace, monospace; font-size: .9em; }
code { background: var(--soft); padding: .05em .3em; border-radius: 3px; }
pre { background: var(--soft); padding: .75rem; border-radius: .4rem; overflow-x: auto; }
pre code { background: none; padding: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: start; vertical-align: top; }
td pre { margin: 0; max-width: 24rem; }
thead th { overflow-wrap: break-word; }
.number { white-space: nowrap; text-align: end; font-variant-numeric: tabular-nums; }
blockquote { margin: 1rem 0; padding-inline-start: 1rem; border-inline-start: 4px solid var(--line); }
.text { max-width: 70ch; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dl.facts dd { margin: 0; }
img { max-width: 100%; background: #fff; }
@media (max-width: 30rem) { dl.facts { grid-template-columns: 1fr; } dl.facts dt { font-weight: 600; } }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { --bg: #fff; --text: #000; --muted: #333; --link: #000; --visited: #000; --soft: #fff; --passage: #fff; }
  header, .skip, form, .actions, .passages, .more { display: none; }
  body, .text { max-width: none; }
  pre { white-space: pre-wrap; }
}
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="6.5" cy="6.5" r="4.5" fill="none" stroke="#4a7bd0" stroke-width="2"/><path d="m10 10 4.5 4.5" stroke="#4a7bd0" stroke-width="2.5" stroke-linecap="round"/></svg>
`;
