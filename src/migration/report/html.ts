import { formatCount } from '../../text/format-count.ts';
import { printable } from '../../text/printable.ts';
import { mostFrequent } from '../model/most-frequent.ts';

const markup = Symbol('markup');

/** Markup that is safe to put into a page: only `html` makes it. */
export interface Html {
  readonly [markup]: string;
}

/** A value in a template: text and numbers are escaped, markup is not, and `undefined` adds nothing. */
type Part = Html | string | number | undefined | readonly Part[];

/** Makes markup from a template; values that are not markup are escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.map((text, at) => `${text}${at < parts.length ? markupOf(parts[at]) : ''}`);
  return { [markup]: texts.join('') };
}

export function plainText(page: Html): string {
  return page[markup];
}

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  if (markup in part) return part[markup];
  return part.map(markupOf).join('');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text. Control, direction and other invisible characters become `�`: they could make a name read as another one. */
function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Renders a part of a page under a heading. */
export function section(id: string, title: string, content: Part): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}</section>
`;
}

/** A table with a row for each of `rows`; if the page is too narrow, the table scrolls. */
interface Table<Row> {
  caption: string;
  rows: readonly Row[];
  /** The first column heads each row. `holds` selects the style of the cells. */
  columns: readonly {
    title: string;
    holds?: 'number' | 'text' | 'name' | 'code' | 'time';
    cell(row: Row, index: number): Part;
  }[];
  /** True for a row that counts nothing, which is shown less prominently. */
  isNone?(row: Row): boolean;
  /** The row with the sums. */
  foot?: Html;
}

export function table<Row>({ caption, rows, columns, isNone, foot }: Table<Row>): Html {
  const classOf = (name: string | undefined) => (name ? html` class="${name}"` : undefined);
  const heads = columns.map(
    ({ title, holds }) =>
      html`<th scope="col"${classOf(holds === 'number' ? holds : undefined)}>${title}</th>`,
  );
  const cellsOf = (row: Row, index: number) =>
    columns.map(({ holds, cell }, at) =>
      at === 0
        ? html`<th scope="row"${classOf(holds)}>${cell(row, index)}</th>`
        : html`<td${classOf(holds)}>${cell(row, index)}</td>`,
    );
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map((row, index) => html`<tr${classOf(isNone?.(row) ? 'none' : undefined)}>${cellsOf(row, index)}</tr>\n`)}</tbody>
${foot && html`<tfoot>${foot}</tfoot>\n`}</table></div>
`;
}

/** Renders how many rows differ in each field, or change it, as a section; `undefined` if none does. */
export function fieldsSection(
  fields: Readonly<Record<string, number>>,
  title: string,
  caption: string,
): Html | undefined {
  const rows = mostFrequent(fields);
  if (rows.length === 0) return undefined;
  const byField = table({
    caption,
    rows,
    columns: [
      { title: 'Field', cell: ([field]) => html`<code>${field}</code>` },
      { title: 'Rows', holds: 'number', cell: ([, found]) => formatCount(found) },
    ],
  });
  return section('fields', title, byField);
}
