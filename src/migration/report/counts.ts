import { formatCount } from '../../text/format-count.ts';
import { type RowResult, rowResults } from '../model/outcome.ts';
import type { Summary } from '../model/summary.ts';
import { type Html, html, section, table } from './html.ts';
import { listed, shownRows, shownShare } from './texts/format.ts';

/** The results that the rows add up to, and what each means. */
const results = {
  created: 'Created by this import; users.csv lists them with result “created”',
  updated: 'Changed as the plan says; users.csv lists them with result “updated”',
  disabled: 'Disabled as the plan says; the API cannot enable them again',
  existing: 'Already in the tenant: all identifiers and the name match; they keep their password',
  conflict: 'Another user already has this user name, e-mail or mobile number',
  failed: 'Rejected by the API, or never reached it',
  invalid: 'Not sent: the row failed validation',
  skipped: 'Left out by the recipe',
  unknown: 'Sent, but no answer came back: may or may not be users',
  pending: 'Not sent yet',
} as const satisfies Record<RowResult, string>;

/** Renders the sum of all rows as an equation, a bar and a table. */
export function countsSection(summary: Summary): Html {
  const { rows } = summary;
  const counts = { updated: 0, disabled: 0, ...summary };
  // Only a plan updates or disables users.
  const names = rowResults.filter((name) => summary[name] !== undefined);
  const present = names.filter((name) => counts[name] > 0);
  const terms = present.map((name) => `${formatCount(counts[name])} ${name}`);
  return section(
    'counts',
    'Every row accounted for',
    html`<p class="sum">${shownRows(summary)} = ${terms.join(' + ') || '0'}</p>
${rows > 0 ? bar(counts, present) : undefined}
${table({
  caption: summary.in_no_row
    ? 'Rows of the file, and users in no row, by result'
    : 'Rows of the file by result',
  rows: names,
  isNone: (name) => counts[name] === 0,
  columns: [
    { title: 'Result', holds: 'name', cell: (name) => html`${swatch(name)} ${name}` },
    { title: 'Rows', holds: 'number', cell: (name) => formatCount(counts[name]) },
    { title: 'Part', holds: 'number', cell: (name) => shownShare(counts[name], rows) },
    { title: 'Meaning', holds: 'text', cell: (name) => meaningOf(name, summary) },
  ],
  foot: html`<tr><th scope="row">rows</th><td class="number">${formatCount(names.reduce((sum, name) => sum + counts[name], 0))}</td><td class="number">${shownShare(rows, rows)}</td><td>The sum of the results above</td></tr>`,
})}`,
  );
}

function meaningOf(name: RowResult, { dry_run: isDry, asked, unanswered, plan }: Summary): string {
  if (name === 'existing' && plan !== undefined)
    return 'Already in the tenant: the plan leaves them as they are; they keep their password';
  if (name === 'pending' && unanswered !== undefined)
    return `Without an outcome yet: at most ${formatCount(unanswered)} may have been sent; the next run looks them up`;
  if (name !== 'pending' || !isDry) return results[name];
  return `Not sent: this was a dry run${asked === undefined ? '' : '; nobody in the tenant has a key of the row'}`;
}

/** Width of the narrowest visible part, as a fraction of the bar. */
const narrowest = 0.008;

function bar(summary: Record<RowResult, number> & { rows: number }, present: readonly RowResult[]): Html {
  const widths = present.map((name) => Math.max(summary[name] / summary.rows, narrowest));
  const whole = widths.reduce((sum, width) => sum + width, 0);
  const percent = (width: number) => `${((width / whole) * 100).toFixed(2)}%`;
  const startOf = (at: number) => widths.slice(0, at).reduce((sum, width) => sum + width, 0);
  const parts = present.map((name) => `${name} ${shownShare(summary[name], summary.rows)}`);
  return html`<svg class="bar" role="img" aria-labelledby="bar-title bar-desc" width="100%" height="32">
<title id="bar-title">Rows by result, as parts of one bar</title>
<desc id="bar-desc">${listed(parts)}.</desc>
<defs>${rowResults.map(pattern)}</defs>
${present.map(
  (name, at) =>
    html`<rect class="part" x="${percent(startOf(at))}" width="${percent(widths[at] ?? 0)}" height="32" fill="url(#fill-${name})"/>
`,
)}</svg>
<p class="note">Parts are drawn in proportion; the smallest are widened so that they can be seen.</p>`;
}

/** A pattern for each result in addition to its color, for people who cannot see the color, and for paper. */
const strokes: Record<RowResult, Html> = {
  created: html``,
  updated: html`<path class="hatch" d="M4 0V8"/>`,
  disabled: html`<circle class="dot" cx="4" cy="4" r="1"/>`,
  existing: html`<path class="hatch" d="M-2 2L2-2M0 8L8 0M6 10L10 6"/>`,
  conflict: html`<path class="hatch" d="M0 0L8 8M0 8L8 0"/>`,
  failed: html`<path class="hatch" d="M-2 6L2 10M0 0L8 8M6-2L10 2"/>`,
  invalid: html`<path class="hatch" d="M0 4H8"/>`,
  skipped: html`<path class="hatch" d="M2 4H6"/>`,
  unknown: html`<circle class="dot" cx="4" cy="4" r="2"/>`,
  pending: html`<path class="thin" d="M-2 2L2-2M0 8L8 0M6 10L10 6"/>`,
};

function pattern(name: RowResult): Html {
  return html`<pattern id="fill-${name}" width="8" height="8" patternUnits="userSpaceOnUse"><rect class="fill-${name}" width="8" height="8"/>${strokes[name]}</pattern>`;
}

/** Where there is no bar, there is no pattern either, and only the color shows. */
function swatch(name: RowResult): Html {
  return html`<svg class="swatch" aria-hidden="true" width="16" height="16"><rect width="16" height="16" class="fill-${name}"/><rect width="16" height="16" fill="url(#fill-${name})"/></svg>`;
}
