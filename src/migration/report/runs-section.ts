import { type Html, html } from './html.ts';
import type { ReportData } from './report-data.ts';
import { scrollingTable } from './scrolling-table.ts';
import { counted, shownCount, shownDuration, shownTime } from './show-values.ts';

const mostRuns = 50;

/** Every run of the job; of very many the last ones. */
export function runsSection({ runs, shares }: ReportData): Html {
  const first = Math.max(0, runs.length - mostRuns);
  return html`<section aria-labelledby="runs">
<h2 id="runs">Runs</h2>
${
  shares
    ? html`<p>These books were joined from those of ${counted(shares, 'share')}. The runs of each share are in its own report.</p>\n`
    : html`${first > 0 ? html`<p class="note">The ${counted(first, 'run')} before these ${first === 1 ? 'is' : 'are'} in the journal.</p>\n` : undefined}${scrollingTable(
        'Runs of this job, first to last',
        html`<thead><tr><th scope="col" class="number">Run</th><th scope="col">Started</th><th scope="col" class="number">Took</th><th scope="col">Note</th></tr></thead>
<tbody>
${runs.slice(first).map(
  ({ started_at: at, seconds, note }, index) =>
    html`<tr><th scope="row" class="number">${shownCount(first + index + 1)}</th><td class="time">${shownTime(at)}</td><td class="number">${seconds === null ? 'cut off' : shownDuration(seconds)}</td><td class="text"><bdi>${note || (first + index === 0 ? 'first run' : 'went on')}</bdi></td></tr>
`,
)}</tbody>
`,
      )}`
}</section>
`;
}
