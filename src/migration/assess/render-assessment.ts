import { formatCount } from '../../text/format-count.ts';
import type { Assessment, PasswordKind } from '../model/assessment.ts';
import { shortened, shownShare, shownTime } from '../report/format.ts';
import { type Html, html, scrollingTable } from '../report/html.ts';
import { footerOf, renderPage, verdictSection } from '../report/render-page.ts';
import type { Verdict } from '../report/verdict.ts';
import { issueTable } from '../rows/issues.ts';

/** What becomes of people with a hash, in the words of a person. */
export const useLabels: Record<PasswordKind['use'], string> = {
  'as-is': 'keep the password',
  strip: 'keep it; a prefix is removed',
  no: 'need a new password',
  none: 'have none',
  unknown: 'not known',
};

/** The assessment of a file as one HTML page. It names no user. */
export function renderAssessment(
  found: Assessment,
  { version, now }: { version: string; now: number },
): string {
  const name = shortened(found.file, 80);
  const verdict = verdictOfAssessment(found);
  const facts: [string, Html][] = [
    ['File', html`<bdi>${found.file}</bdi>`],
    ['Read as', html`${found.reading.join(', ')}`],
    ['Recipe', html`${found.recipe ?? 'none'}`],
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

/** How many keep their password, and what people will notice. */
export function verdictOfAssessment(found: Assessment): Verdict {
  const { rows, ready, rejected, skipped, passwords, status_columns: statuses, notices } = found;
  const users = rows - skipped;
  const kept = passwords.filter(({ use }) => use === 'as-is' || use === 'strip');
  const keep = kept.reduce((sum, kind) => sum + kind.users, 0);
  const checked =
    rejected === 0
      ? 'Every row passes the checks.'
      : `${formatCount(ready, 'row')} would be imported; ${formatCount(rejected)} would be rejected as they are.`;
  const left = skipped === 0 ? '' : ` The recipe leaves out ${formatCount(skipped, 'row')}.`;
  const status = `${statuses.join(', ')} may say who is disabled, and is not read: everybody would be enabled.`;
  return {
    tone: keep === users && rejected === 0 ? 'good' : keep === 0 ? 'bad' : 'partly',
    headline: `${formatCount(keep)} of ${formatCount(users, 'user')} can keep the password.`,
    meaning: `${checked}${left}`,
    caveats: [...(statuses.length > 0 ? [status] : []), ...notices],
  };
}

/** A column of a table: its title, and whether it holds numbers. */
type Head = readonly [title: string, isNumber?: boolean];

interface Section {
  id: string;
  title: string;
  caption: string;
  heads: readonly Head[];
  rows: readonly (readonly (string | undefined)[])[];
}

function sectionsOf(found: Assessment): Html[] {
  const { passwords, issues, unknown_values: values, columns, rows, skipped } = found;
  const share = (part: number) => shownShare(part, rows - skipped);
  const sections: Section[] = [
    {
      id: 'passwords',
      title: 'Who keeps the password',
      caption: 'Users by the kind of their hash',
      heads: [['They'], ['Users', true], ['Part', true], ['Kind of hash'], ['What to do']],
      rows: passwords.map(({ use, users, format, remedy }) => [
        useLabels[use],
        formatCount(users),
        share(users),
        format,
        remedy,
      ]),
    },
    {
      id: 'issues',
      title: 'What is wrong with rows',
      caption: 'Rows with each issue; a row counts for each of its issues',
      heads: [['Code'], ['Rows', true], ['What'], ['What to do']],
      rows: Object.entries(issues).map(([code, count]) => {
        const entry = Object.entries(issueTable).find(([name]) => name === code)?.[1];
        return [code, formatCount(count), entry?.message, entry?.remedy];
      }),
    },
    {
      id: 'values',
      title: 'Values that are not known',
      caption: 'Values by column',
      heads: [['Column'], ['Value'], ['Rows', true]],
      rows: values.map(({ column, value, rows: count }) => [column, value, formatCount(count)]),
    },
    {
      id: 'columns',
      title: 'What the columns are',
      caption: 'Columns of the file',
      heads: [['Column'], ['Read as'], ['Filled', true]],
      rows: columns.map(({ name, field, filled }) => [
        name,
        field ?? 'not read',
        filled === null ? '' : share(filled),
      ]),
    },
  ];
  return sections.filter(({ rows: list }) => list.length > 0).map(sectionOf);
}

function sectionOf({ id, title, caption, heads, rows }: Section): Html {
  const classOf = (isNumber: boolean | undefined) => (isNumber ? 'number' : 'text');
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${scrollingTable(
  caption,
  html`<thead><tr>${heads.map(([head, isNumber]) => html`<th scope="col" class="${classOf(isNumber)}">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first, ...cells]) => html`<tr><th scope="row" class="name"><bdi>${first}</bdi></th>${cells.map(
      (cell, at) => html`<td class="${classOf(heads[at + 1]?.[1])}"><bdi>${cell}</bdi></td>`,
    )}</tr>
`,
  )}</tbody>
`,
)}</section>
`;
}
