import { formatCount } from '../../text/format-count.ts';
import { fieldsSection, type Html, html, section, table } from '../report/html.ts';
import { type FooterFact, footerOf, renderPage, targetFacts, verdictSection } from '../report/render-page.ts';
import { shortened, shownDuration, shownShare, shownTime } from '../report/texts/format.ts';
import type { Verdict } from '../report/verdict.ts';
import { type ComparisonSummary, differencesIn, isExtraUnsure, type VerdictName } from './comparison.ts';

const meanings: Record<VerdictName, string> = {
  same: 'The user is in the tenant, and every field of the row is equal',
  differs: 'The user is in the tenant, and fields differ: differs.csv names them',
  missing: 'No user of the tenant has a key of the row',
  ambiguous:
    'The keys of the row belong to several users, or to one only as another key (a user name that is an e-mail address), or the row has none',
  invalid: 'The row fails the checks, so its user cannot be compared',
  extra: 'A user of the tenant whom no row finds',
};

const ofRows = ['same', 'differs', 'missing', 'ambiguous', 'invalid'] as const;

/** The report of a comparison as one HTML page. It names no user. */
export function renderComparison(
  summary: ComparisonSummary,
  { version, startedAt, endedAt }: { version: string; startedAt: number; endedAt: number },
): string {
  const verdict = verdictOfComparison(summary);
  const name = shortened(summary.file, 80);
  const facts: FooterFact[] = [
    ['File', html`<bdi>${summary.file}</bdi>`],
    ['SHA-256 of the file', html`<code>${summary.digest.slice(0, 16)}…</code> (shortened)`],
    ...targetFacts(summary.target),
    summary.job !== undefined && ['Job', html`<bdi>${summary.job}</bdi>`],
    ['Took', html`${shownTime(startedAt)} to ${shownTime(endedAt)} (${shownDuration(summary.seconds)})`],
    ['Made by', html`tenant-users ${version}`],
  ];
  return renderPage({
    title: `Comparison of ${name}: ${verdict.headline}`,
    heading: html`Comparison of <bdi>${name}</bdi> with the tenant`,
    note: `Ended ${shownTime(endedAt)}`,
    body: html`<main>
${verdictSection(verdict)}${countsOf(summary)}${fieldsSection(summary.fields, 'Fields that differ', `Of ${formatCount(summary.differs, 'row')} that differ`)}</main>
${footerOf('About this report', facts, 'This page holds no password, hash or key, and names no user; the lists beside it do. Nothing was written to the tenant.')}`,
  });
}

function verdictOfComparison(summary: ComparisonSummary): Verdict {
  const { rows, users, differs, missing, extra, ambiguous, invalid, complete, faults, job } = summary;
  const caveats = faults.map((fault) => `${fault}.`);
  if (summary.changed_since > 0) {
    caveats.push(
      `${formatCount(summary.changed_since, 'user')} whom the job created differ because they were changed in the tenant since.`,
    );
  }
  if (isExtraUnsure(summary)) {
    caveats.push(
      `No user was found by ${formatCount(summary.unrecognised, 'row')} that failed the checks: extra.csv may have their users.`,
    );
  }
  if (job === undefined && missing > 0)
    caveats.push('With --job the lists also say what became of each row in the import.');
  const meaning = `The file has ${formatCount(rows, 'row')}, the tenant ${formatCount(users, 'user')}.`;
  if (!complete) {
    return {
      tone: 'bad',
      headline: 'The tenant changed while it was read: compare again.',
      meaning,
      caveats,
    };
  }
  if (differencesIn(summary).length === 0)
    return { tone: 'good', headline: 'File and tenant are equal.', meaning, caveats };
  const found = [
    [missing, 'missing'],
    [differs, 'different'],
    [ambiguous, 'ambiguous'],
    [invalid, 'not compared'],
    [extra, 'not in the file'],
  ] as const;
  const words = found.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return { tone: 'partly', headline: `File and tenant differ: ${words.join(', ')}.`, meaning, caveats };
}

function countsOf(summary: ComparisonSummary): Html {
  const verdicts = (caption: string, what: string, names: readonly VerdictName[], whole: number) =>
    table({
      caption,
      rows: names,
      isNone: (name) => summary[name] === 0,
      columns: [
        { title: 'Verdict', holds: 'name', cell: (name) => name },
        { title: what, holds: 'number', cell: (name) => formatCount(summary[name]) },
        { title: 'Part', holds: 'number', cell: (name) => shownShare(summary[name], whole) },
        { title: 'Meaning', holds: 'text', cell: (name) => meanings[name] },
      ],
    });
  const ofFile = verdicts('Rows of the file by verdict', 'Rows', ofRows, summary.rows);
  const ofTenant = verdicts('Users of the tenant', 'Users', ['extra'], summary.users);
  return section('counts', 'Every row and every user accounted for', [ofFile, ofTenant]);
}
