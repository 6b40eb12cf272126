import type { Summary } from '../summary.ts';
import { explainCode } from './explain-code.ts';
import { type Html, html } from './html.ts';
import { scrollingTable } from './scrolling-table.ts';
import { counted, shortened, shownCount, shownShare } from './show-values.ts';

/** A service may answer with as many codes as it likes, of any length. */
const mostCodes = 100;
const longest = 120;

/** Why rows are no users: each code with its rows, cause and remedy. */
export function codesSection({ codes, rows, unknown }: Summary): Html {
  const sorted = Object.entries(codes).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const rest = sorted.slice(mostCodes);
  const left = rest.reduce((sum, [, count]) => sum + count, 0);
  return html`<section aria-labelledby="codes">
<h2 id="codes">Why rows are not users</h2>
${sorted.length === 0 ? html`<p>No row was refused, and none had a finding.</p>\n` : table(sorted.slice(0, mostCodes), rows)}${
  rest.length > 0
    ? html`<p class="note">${counted(rest.length, 'more code')} with ${counted(left, 'row')}: see failures.csv.</p>\n`
    : undefined
}${
  unknown > 0
    ? html`<p class="note">The ${counted(unknown, 'row')} without an answer ${unknown === 1 ? 'is' : 'are'} not counted here: nobody knows yet whether ${unknown === 1 ? 'it is a user' : 'they are users'}.</p>\n`
    : undefined
}</section>
`;
}

function table(codes: readonly [string, number][], rows: number): Html {
  return scrollingTable(
    'Rows that are not users, by code',
    html`<thead><tr><th scope="col">Code</th><th scope="col" class="number">Rows</th><th scope="col" class="number">Share</th><th scope="col">Cause</th><th scope="col">What to do</th></tr></thead>
<tbody>
${codes.map(([code, count]) => {
  const { cause, remedy } = explainCode(code);
  return html`<tr><th scope="row" class="code"><code><bdi>${shortened(code, longest)}</bdi></code></th><td class="number">${shownCount(count)}</td><td class="number">${shownShare(count, rows)}</td><td class="text">${cause}</td><td class="text">${remedy}</td></tr>
`;
})}</tbody>
`,
  );
}
