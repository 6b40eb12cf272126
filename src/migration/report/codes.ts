import { explainError } from '../../contract/error-explanations.ts';
import { formatCount } from '../../text/format-count.ts';
import { driftReason, type ReasonCode, reasons } from '../actions/reasons.ts';
import { mostFrequent } from '../model/most-frequent.ts';
import type { AlgorithmCounts, Summary } from '../model/summary.ts';
import { type IssueEntry, issueTable } from '../rows/issues/issues.ts';
import { type Html, html, section, table } from './html.ts';
import { shortened, shownShare } from './texts/format.ts';

/** Limits of the report, because a service may answer with any number of codes, of any length. */
const mostCodes = 100;
const longest = 120;

/** Why rows were not imported: each code with its rows, cause and remedy. */
export function codesSection({
  codes,
  rows,
  unknown,
  issues,
  unknown_algorithms: algorithms,
}: Summary): Html {
  const sorted = mostFrequent(codes);
  const rest = sorted.slice(mostCodes);
  const left = rest.reduce((sum, [, count]) => sum + count, 0);
  return section('codes', 'Why rows were not imported', [
    sorted.length === 0 ? html`<p>No row was rejected.</p>\n` : codesTable(sorted.slice(0, mostCodes), rows),
    rest.length > 0
      ? html`<p class="note">${formatCount(rest.length, 'more code')} with ${formatCount(left, 'row')}: see failures.csv.</p>\n`
      : undefined,
    Object.entries(issues).some(([code, count]) => count !== codes[code])
      ? html`<p class="note">The table counts each row for its first issue. Rows with each issue: ${described(issues)}.</p>\n`
      : undefined,
    Object.keys(algorithms).length > 0
      ? html`<p class="note">Algorithms that the API does not accept: ${described(algorithms)}.</p>\n`
      : undefined,
    unknown > 0
      ? html`<p class="note">The ${formatCount(unknown, 'row')} without an answer may be ${unknown === 1 ? 'a user' : 'users'} all the same: that is not known yet.</p>\n`
      : undefined,
  ]);
}

/** Names and their rows, most rows first. */
function described(counts: Record<string, number>): Html[] {
  return Object.entries(counts).map(
    ([name, count], at) =>
      html`${at > 0 ? ', ' : ''}<code><bdi>${shortened(name, longest)}</bdi></code> ${formatCount(count)}`,
  );
}

function codesTable(codes: readonly [string, number][], rows: number): Html {
  return table({
    caption: 'Rejected rows, by code',
    rows: codes,
    columns: [
      {
        title: 'Code',
        holds: 'code',
        cell: ([code]) => html`<code><bdi>${shortened(code, longest)}</bdi></code>`,
      },
      { title: 'Rows', holds: 'number', cell: ([, count]) => formatCount(count) },
      { title: 'Part', holds: 'number', cell: ([, count]) => shownShare(count, rows) },
      { title: 'Cause', holds: 'text', cell: ([code]) => explainCode(code).cause },
      { title: 'What to do', holds: 'text', cell: ([code]) => explainCode(code).remedy },
    ],
  });
}

/** Returns cause and remedy of a code; for one that is neither ours nor the API's, where to ask. */
function explainCode(code: string): Pick<IssueEntry, 'cause' | 'remedy'> {
  const issue = Object.hasOwn(issueTable, code) ? issueTable[code as keyof typeof issueTable] : undefined;
  const own = Object.hasOwn(reasons, code) ? reasons[code as ReasonCode] : undefined;
  const reason = code === driftReason.code ? driftReason : own;
  return (
    issue ??
    (reason && { cause: `${reason.text}.`, remedy: reason.remedy }) ??
    explainError(code) ?? {
      cause: 'The service answered with this code, which the API documentation does not list.',
      remedy: 'Read the message in failures.csv, and ask the operator of the service.',
    }
  );
}

/** What became of the rows of each algorithm, and whether a known password shows that its hashes work. */
export function algorithmsSection({ by_algorithm: algorithms, dry_run: isDry }: Summary): Html {
  const rows = Object.entries(algorithms);
  return section('algorithms', 'Hash algorithms and their verification', [
    rows.length === 0
      ? html`<p>No row with a result names an algorithm.</p>\n`
      : table({
          caption: 'Rows and verification by algorithm',
          rows,
          columns: [
            { title: 'Algorithm', holds: 'name', cell: ([name]) => html`<code>${name}</code>` },
            { title: 'Verification', holds: 'text', cell: ([, counts]) => verification(counts) },
            { title: 'Created', holds: 'number', cell: ([, { created }]) => formatCount(created) },
            { title: 'Rejected', holds: 'number', cell: ([, { failed }]) => formatCount(failed) },
          ],
        }),
    html`<p class="note">Verified means: a known password matched a row’s hash, compared with the service’s own algorithm. The API accepts any text as a hash and does not check it before the first login.</p>\n`,
    isDry
      ? html`<p class="note">In a dry run only rows with issues are counted here: rows that passed have no result yet.</p>\n`
      : undefined,
  ]);
}

/** A run goes on only if all known passwords match, so an algorithm has either none, or some that matched. */
function verification({ canaries, other_keys: others = 0 }: AlgorithmCounts): Html {
  if (canaries === 0) return html`<strong class="partly">Not verified</strong>: no known password was tried`;
  if (others > 0)
    return html`<strong class="partly">Verified in part</strong>: ${formatCount(others, 'row')} with HMAC keys that no known password was tried with`;
  return html`<strong class="good">Verified</strong>: ${formatCount(canaries, 'known password')} tried, ${canaries === 1 ? 'and it matched' : 'all matched'}`;
}
