import { rowResults } from '../model/outcome.ts';
import { html } from './html.ts';

/**
 * Colors are named by their meaning. Text and symbols have a contrast of at least 4.5 in both themes. A table that is wider than
 * the page has a shadow at the edge where it continues; at the end of the table the shadow is covered.
 */
export const styles = html`
:root {
  --page: #ffffff; --panel: #f4f6f8; --text: #1c2128; --quiet: #545d68; --edge: #c9d1d9;
  --good: #17693a; --partly: #855400; --bad: #b3261e; --rehearsed: #1f5fae;
  --created: #2f855a; --updated: #1f5fae; --disabled: #5f6b7a; --existing: #5b8f9e; --conflict: #a64ca6; --failed: #b3261e; --invalid: #d9730d; --skipped: #6d7885; --unknown: #6b5bd2; --pending: #8b949e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11151a; --panel: #1a2027; --text: #e4e8ec; --quiet: #a3adb8; --edge: #3a434d;
    --good: #5cc98a; --partly: #e0ab4f; --bad: #ff8a80; --rehearsed: #7db4f5;
    --created: #4caf7d; --updated: #7db4f5; --disabled: #9aa5b1; --existing: #78b3c4; --conflict: #cf86cf; --failed: #ef6a60; --invalid: #ee9a45; --skipped: #9aa5b1; --unknown: #9d90f0; --pending: #8b949e;
  }
}
* { box-sizing: border-box; }
html { background: var(--page); color: var(--text); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.25rem 0; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 0.75rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: 0 0 0.75rem; }
section { margin: 2.25rem 0 0; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; font-size: 0.9em; }
.note, .axis, footer { color: var(--quiet); font-size: 0.875rem; }
.good { color: var(--good); } .partly { color: var(--partly); } .bad { color: var(--bad); } .rehearsed { color: var(--rehearsed); }
.verdict { margin-top: 1.25rem; padding: 1.25rem 1.25rem 0.5rem; background: var(--panel); border: 1px solid var(--edge); border-left: 6px solid currentColor; border-radius: 4px; }
.verdict > :not(.label):not(h2) { color: var(--text); }
.verdict h2 { font-size: 1.4rem; }
.label { display: inline-block; margin: 0 0 0.75rem; padding: 0.1rem 0.6rem; border: 2px solid currentColor; border-radius: 4px; font-weight: 700; }
.verdict ul { padding-left: 1.25rem; }
.sum { font-weight: 600; }
.bar { display: block; border-radius: 4px; }
.part { stroke: var(--page); stroke-width: 1; }
.bar + .note { margin-top: 0.35rem; }
.swatch { vertical-align: -2px; margin-right: 0.35rem; }
${rowResults.map((name) => `.fill-${name} { fill: var(--${name === 'pending' ? 'panel' : name}); }`).join(' ')} .thin { stroke: var(--pending); fill: none; }
.hatch { stroke: var(--page); stroke-width: 1.5; fill: none; } .dot { fill: var(--page); }
.scroll { overflow-x: auto; margin: 0 0 0.75rem; background: linear-gradient(to right, var(--page), transparent) 0 0 / 2.5rem 100% no-repeat local, linear-gradient(to left, var(--page), transparent) 100% 0 / 2.5rem 100% no-repeat local, linear-gradient(to right, var(--edge), transparent) 0 0 / 0.5rem 100% no-repeat scroll, linear-gradient(to left, var(--edge), transparent) 100% 0 / 0.5rem 100% no-repeat scroll; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
caption { text-align: left; color: var(--quiet); font-size: 0.875rem; padding-bottom: 0.35rem; }
th, td { padding: 0.45rem 0.9rem 0.45rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--edge); }
thead th { font-size: 0.8125rem; color: var(--quiet); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; min-width: 7rem; } th.name { white-space: nowrap; } th.code code { display: inline-block; min-width: 11.5rem; } tbody th.number { min-width: 2rem; font-weight: 400; }
tfoot th, tfoot td { font-weight: 700; border-bottom: 0; }
.none th, .none td { color: var(--quiet); font-weight: 400; }
.number { text-align: right; white-space: nowrap; } .time { white-space: nowrap; }
td { min-width: 6rem; } td.number { min-width: 0; } td.text { min-width: 13rem; }
td ul { margin: 0.35rem 0 0; padding-left: 1.1rem; }
figure { margin: 1.25rem 0 0; break-inside: avoid; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0 0 0.5rem; padding: 0; list-style: none; font-size: 0.875rem; }
.axis { margin: 0 0 0.5rem; }
.plot { display: block; width: calc(100% - 5rem); margin-left: 3.75rem; overflow: visible; }
.plot text { fill: var(--quiet); font-size: 12px; }
.grid { stroke: var(--edge); stroke-width: 1; }
.line { fill: none; stroke-width: 2; }
.main { stroke: var(--rehearsed); } .limit { stroke: var(--text); stroke-width: 1.5; stroke-dasharray: 7 4; }
.throttled { stroke: var(--partly); stroke-dasharray: 2 3; } .failed { stroke: var(--bad); stroke-dasharray: 8 3 2 3; }
ol { padding-left: 1.4rem; } ol p { margin-bottom: 0.4rem; }
pre { margin: 0 0 0.6rem; padding: 0.6rem 0.8rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--edge); border-radius: 4px; color: var(--text); }
:focus-visible { outline: 2px solid var(--rehearsed); outline-offset: 2px; }
footer { margin-top: 2.5rem; padding-top: 1.25rem; border-top: 1px solid var(--edge); }
footer h2 { font-size: 1rem; color: var(--text); }
dl { margin: 0 0 0.75rem; } dl div { display: grid; grid-template-columns: 12rem 1fr; gap: 0 1rem; padding: 0.15rem 0; } dd { margin: 0; color: var(--text); min-width: 0; }
@media (max-width: 40rem) { body { padding: 1.25rem 1rem 2rem; } table { font-size: 0.875rem; } th, td { padding-right: 0.6rem; } td { min-width: 4.5rem; } td.text { min-width: 8rem; } tbody th { min-width: 6.4rem; } thead th, th.name { white-space: normal; overflow-wrap: normal; } dl div { grid-template-columns: 1fr; padding: 0.3rem 0; } }
@media print {
  :root {
    --page: #ffffff; --panel: #ffffff; --text: #000000; --quiet: #333333; --edge: #999999;
    --good: #000000; --partly: #000000; --bad: #000000; --rehearsed: #000000;
    --created: #2f855a; --updated: #1f5fae; --disabled: #5f6b7a; --existing: #5b8f9e; --conflict: #a64ca6; --failed: #b3261e; --invalid: #d9730d; --skipped: #6d7885; --unknown: #6b5bd2; --pending: #8b949e;
  }
  @page { margin: 16mm; }
  html { font-size: 10.5pt; color-scheme: light; }
  body { max-width: none; padding: 0; }
  .scroll, pre { overflow: visible; background: none; }
  pre { white-space: pre-wrap; }
  td, td.text { min-width: 0; }
  tr, li, figure, .scroll, .verdict, .bar { break-inside: avoid; }
  h2, h3, caption, figcaption { break-after: avoid; }
  thead { display: table-header-group; } tfoot { display: table-row-group; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
