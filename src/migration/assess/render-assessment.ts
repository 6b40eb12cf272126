import { formatCount } from '../../text/format-count.ts';
import { type Html, html, section, table } from '../report/html.ts';
import { type FooterFact, footerOf, renderPage, verdictSection } from '../report/render-page.ts';
import { listed, shortened, shownShare, shownTime } from '../report/texts/format.ts';
import type { Verdict } from '../report/verdict.ts';
import { fieldNamed } from '../rows/fields/fields.ts';
import { areForeign } from '../rows/issues/count-issues.ts';
import { issueTable } from '../rows/issues/issues.ts';
import type { Assessment, PasswordKind } from './assessment.ts';

/** What becomes of users with a kind of hash, for display. */
export const useLabels: Record<PasswordKind['use'], string> = {
  'as-is': 'keep the password',
  strip: 'keep it, without the prefix of the hash',
  depends: 'depends on how they were made',
  no: 'need a new password',
  none: 'have none',
  unknown: 'not known',
};

/** Renders the assessment of a file as one HTML page. It names no user. */
export function renderAssessment(
  found: Assessment,
  { version, now }: { version: string; now: number },
): string {
  const name = shortened(found.file, 80);
  const verdict = verdictOfAssessment(found);
  const facts: FooterFact[] = [
    ['File', html`<bdi>${found.file}</bdi>`],
    ['Read as', html`${found.reading.join(', ')}`],
    ['Recipe', html`${found.recipe ?? 'none'}`],
    found.missing_columns.length > 0 && [
      'Columns that it reads, and the file lacks',
      html`<bdi>${found.missing_columns.join(', ')}</bdi>`,
    ],
    ['Made by', html`tenant-users ${version}`],
  ];
  return renderPage({
    title: `Assessment of ${name}: ${verdict.headline}`,
    heading: html`Assessment of <bdi>${name}</bdi>`,
    note: `Made ${shownTime(now)}`,
    body: html`<main>
${verdictSection(verdict)}${sectionsOf(found)}</main>
${footerOf('About this page', facts, 'This page holds no password, hash or key, and names no user. Nothing was sent.')}`,
  });
}

/** Returns the verdict: how many users keep their password, and what they will notice. */
export function verdictOfAssessment(found: Assessment): Verdict {
  const { rows, ready, rejected, skipped, passwords, recipe, columns, status_columns: statuses } = found;
  const users = rows - skipped;
  const countOf = (...uses: PasswordKind['use'][]) =>
    passwords.reduce((sum, kind) => sum + (uses.includes(kind.use) ? kind.users : 0), 0);
  const [keep, open] = [countOf('as-is', 'strip'), countOf('depends')];
  const more = open === 0 ? '' : `; of ${formatCount(open)} more, it depends on how their hashes were made`;
  // A recipe for a system without hashes rightly reads none.
  const isUnread = recipe === null && columns.every(({ field }) => field !== 'value');
  const checked =
    rejected === 0
      ? 'Every row passes the checks.'
      : `${formatCount(ready, 'row')} would be imported; ${formatCount(rejected)} would be rejected as they are.`;
  const left = skipped === 0 ? '' : ` The recipe leaves out ${formatCount(skipped, 'row')}.`;
  return {
    tone: keep === users && rejected === 0 ? 'good' : keep + open === 0 ? 'bad' : 'partly',
    headline: isUnread
      ? 'No column was recognised as password hashes.'
      : `${formatCount(keep)} of ${formatCount(users, 'user')} can keep the password${more}.`,
    meaning: `${checked}${left}`,
    caveats: [...(statuses.length > 0 ? [describeUnread(statuses)] : []), ...found.notices],
  };
}

/** Says what happens if columns that look like a status are not read. */
export function describeUnread(statuses: readonly string[]): string {
  return `${listed(statuses)} may say who is disabled, and ${statuses.length === 1 ? 'is' : 'are'} not read: these people would be enabled.`;
}

/** Says what to do after an assessment; `needsRecipe`: true if an import would not know the columns of the file. */
export function nextOfAssessment({ issues, unknown_values: unknown, columns, recipe }: Assessment) {
  const isKnown = ({ name, field }: Assessment['columns'][number]) =>
    field !== null && fieldNamed(name)?.target === field;
  if (recipe === null && !columns.every(isKnown)) {
    const text = 'An import does not guess what columns mean: make a recipe, and look through it.';
    return { text, needsRecipe: true };
  }
  const column = columns.find(({ field }) => field === 'algorithm')?.name;
  const algorithms = unknown.flatMap(({ value, rows, ...one }) =>
    one.column === column ? [[value, rows]] : [],
  );
  const other = areForeign(issues, Object.fromEntries(algorithms)) ? (issues.ALGORITHM_UNKNOWN ?? 0) : 0;
  const foreign = Math.max(issues.HASH_FOREIGN ?? 0, other);
  const counts: [option: string, users: number, who: string][] = [
    ['--allow-passwordless', issues.PASSWORD_MISSING ?? 0, 'without a hash'],
    ['--foreign-hashes passwordless', foreign, 'whose hash the API does not accept'],
  ];
  const more = counts.flatMap(([option, users, who]) =>
    users > 0 ? [`${option} for the ${formatCount(users)} ${who}`] : [],
  );
  const others = more.length === 0 ? '' : ` To create users without a password, too, add ${listed(more)}.`;
  return { text: `Check the rows as an import does.${others}`, needsRecipe: false };
}

function sectionsOf(found: Assessment): Html[] {
  const { passwords, issues, unknown_values: values, columns, rows, skipped } = found;
  const share = (part: number) => shownShare(part, rows - skipped);
  const issueOf = (code: string) => Object.entries(issueTable).find(([name]) => name === code)?.[1];
  const bidi = (text: string | undefined) => html`<bdi>${text}</bdi>`;
  return [
    ...tableSection('passwords', 'Who keeps the password', {
      caption: 'Users by the kind of their hash',
      rows: passwords,
      columns: [
        { title: 'They', holds: 'name', cell: ({ use }) => useLabels[use] },
        { title: 'Users', holds: 'number', cell: ({ users }) => formatCount(users) },
        { title: 'Part', holds: 'number', cell: ({ users }) => share(users) },
        { title: 'Kind of hash', holds: 'text', cell: ({ format }) => bidi(format) },
        { title: 'What to do', holds: 'text', cell: ({ remedy }) => remedy },
      ],
    }),
    ...tableSection('issues', 'What is wrong with rows', {
      caption: 'Rows with each issue; a row counts for each of its issues',
      rows: Object.entries(issues),
      columns: [
        { title: 'Code', holds: 'name', cell: ([code]) => code },
        { title: 'Rows', holds: 'number', cell: ([, count]) => formatCount(count) },
        { title: 'What', holds: 'text', cell: ([code]) => issueOf(code)?.message },
        { title: 'What to do', holds: 'text', cell: ([code]) => issueOf(code)?.remedy },
      ],
    }),
    ...tableSection('values', 'Values that are not known', {
      caption: 'Values by column',
      rows: values,
      columns: [
        { title: 'Column', holds: 'name', cell: ({ column }) => bidi(column) },
        { title: 'Value', holds: 'text', cell: ({ value }) => bidi(value) },
        { title: 'Rows', holds: 'number', cell: ({ rows: count }) => formatCount(count) },
      ],
    }),
    ...tableSection('columns', 'What the columns are', {
      caption: 'Columns of the file',
      rows: columns,
      columns: [
        { title: 'Column', holds: 'name', cell: ({ name }) => bidi(name) },
        { title: 'Read as', holds: 'text', cell: ({ field }) => bidi(field ?? 'not read') },
        {
          title: 'Filled',
          holds: 'number',
          cell: ({ filled }) => (filled === null ? '' : share(filled)),
        },
      ],
    }),
  ];
}

/** A section with a table; none without rows. */
function tableSection<Row>(id: string, title: string, content: Parameters<typeof table<Row>>[0]): Html[] {
  return content.rows.length === 0 ? [] : [section(id, title, table(content))];
}
