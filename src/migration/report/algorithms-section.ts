import { type Html, html } from './html.ts';
import { algorithmsOf } from './proof-of.ts';
import type { CanaryResult, ReportData } from './report-data.ts';
import { scrollingTable } from './scrolling-table.ts';
import { counted, shownCount } from './show-values.ts';

/** What became of the rows of each algorithm, and whether a known password shows that its hashes work. */
export function algorithmsSection({ summary, canaries = [] }: ReportData): Html {
  const names = algorithmsOf(summary, canaries);
  return html`<section aria-labelledby="algorithms">
<h2 id="algorithms">Hash algorithms and their proof</h2>
${
  names.length === 0
    ? html`<p>No row that has a result names an algorithm.</p>\n`
    : scrollingTable(
        'Rows and proof by algorithm',
        html`<thead><tr><th scope="col">Algorithm</th><th scope="col">Proof</th><th scope="col" class="number">Created</th><th scope="col" class="number">Not users</th></tr></thead>
<tbody>
${names.map((name) => {
  const { created, failed } = summary.by_algorithm[name] ?? { created: 0, failed: 0 };
  const canary = canaries.find(({ algorithm }) => algorithm === name);
  return html`<tr><th scope="row" class="name"><code>${name}</code></th><td class="text">${proof(canary)}</td><td class="number">${shownCount(created)}</td><td class="number">${shownCount(failed)}</td></tr>
`;
})}</tbody>
`,
      )
}<p class="note">Proven means: a password that is known was held against a row’s hash, as the service will do it, and matched. The API takes any text for a hash and checks nothing until the first login.</p>
${summary.dry_run ? html`<p class="note">Of a dry run only rows with findings are counted here: rows that passed have no result yet.</p>\n` : undefined}</section>
`;
}

function proof(canary: CanaryResult | undefined): Html {
  if (!canary || canary.tried === 0) {
    return html`<strong class="partly">Unproven</strong>: no known password was tried`;
  }
  const { tried, matched, mistakes } = canary;
  if (matched === tried) {
    return html`<strong class="good">Proven</strong>: ${counted(tried, 'known password')} tried, ${tried === 1 ? 'and it matched' : 'all matched'}`;
  }
  return html`<strong class="bad">${mistakes.length > 0 ? 'Mistake found' : 'Not proven'}</strong>: ${shownCount(matched)} of ${counted(tried, 'known password')} matched${
    mistakes.length > 0
      ? html`<ul>${mistakes.map(({ code, message, remedy }) => html`<li><code><bdi>${code}</bdi></code>: <bdi>${message}</bdi>. <bdi>${remedy}</bdi></li>`)}</ul>`
      : '; no known mistake of an export fits. Check that password and row are of the same user.'
  }`;
}
