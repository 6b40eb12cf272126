import { basename } from 'node:path';
import { formatCount } from '../../text/format-count.ts';
import { algorithmsSection, codesSection } from './codes.ts';
import { countsSection } from './counts.ts';
import { type Html, html, section, table } from './html.ts';
import { nextStepsSection } from './next-steps.ts';
import { type FooterFact, footerOf, renderPage, targetFacts, verdictSection } from './render-page.ts';
import type { ReportData } from './report-data.ts';
import { shortened, shownDuration, shownTime } from './texts/format.ts';
import { throughputSection } from './throughput.ts';
import { verdictOf } from './verdict.ts';

/**
 * Renders the report of an import as one HTML page that needs nothing else, neither network nor scripts. The same data give the
 * same bytes.
 */
export function renderReport(data: ReportData): string {
  const verdict = verdictOf(data);
  const { summary } = data;
  const what = summary.dry_run
    ? 'Dry run'
    : summary.rehearsal
      ? 'Rehearsal'
      : summary.plan
        ? 'Application of the plan'
        : 'Import';
  const name = shortened(basename(data.file), 80);
  const body = html`<main>
${verdictSection(verdict)}${countsSection(summary)}${codesSection(summary)}${algorithmsSection(summary)}${throughputSection(data)}${runsSection(data)}${nextStepsSection(data)}</main>
${footer(data)}`;
  return renderPage({
    title: `${what} of ${name}: ${verdict.headline}`,
    heading: html`${what} of <bdi>${name}</bdi>`,
    note: `Ended ${shownTime(data.endedAt)}`,
    body,
  });
}

function footer({ file, digest, target, version, startedAt, endedAt, summary }: ReportData): Html {
  const facts: FooterFact[] = [
    ['Source', html`<bdi>${file}</bdi>`],
    ['SHA-256 of the source', html`<code>${digest.slice(0, 16)}…</code> (shortened)`],
    ...targetFacts(target),
    summary.rehearsal && ['Target', html`a temporary service of this rehearsal`],
    summary.shard !== undefined && ['Shard', html`${summary.shard}`],
    [
      'This run',
      html`${shownTime(startedAt)} to ${shownTime(endedAt)} (${shownDuration((endedAt - startedAt) / 1000)})`,
    ],
    ['Made by', html`tenant-users ${version}`],
  ];
  return footerOf(
    'About this report',
    facts,
    'This page holds no password, hash or key, and names no user. Each run of the job replaces it.',
  );
}

const mostRuns = 50;

/** Renders the runs of the job; if there are many, only the last ones. */
function runsSection({ runs, shards }: ReportData): Html {
  const first = Math.max(0, runs.length - mostRuns);
  if (shards) {
    const merged = html`<p>These records were merged from ${formatCount(shards, 'shard')}. The runs of each shard are in its own report.</p>\n`;
    return section('runs', 'Runs', merged);
  }
  const earlier =
    first > 0
      ? html`<p class="note">The ${formatCount(first, 'run')} before these ${first === 1 ? 'is' : 'are'} in the journal.</p>\n`
      : undefined;
  const last = table({
    caption: 'Runs of this job, first to last',
    rows: runs.slice(first),
    columns: [
      { title: 'Run', holds: 'number', cell: (_, index) => formatCount(first + index + 1) },
      { title: 'Started', holds: 'time', cell: ({ started_at: at }) => shownTime(at) },
      {
        title: 'Took',
        holds: 'number',
        cell: ({ seconds }) => (seconds === null ? 'interrupted' : shownDuration(seconds)),
      },
      {
        title: 'Note',
        holds: 'text',
        cell: ({ note }, index) =>
          html`<bdi>${note || (first + index === 0 ? 'first run' : 'resumed')}</bdi>`,
      },
    ],
  });
  return section('runs', 'Runs', [earlier, last]);
}
