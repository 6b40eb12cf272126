import { printable } from '../../text/printable.ts';

const markup = Symbol('markup');

/** Markup that is safe to put into a page: only `html` makes it. */
export interface Html {
  readonly [markup]: string;
}

/** What may stand in a template: text and numbers are escaped, markup is not, `undefined` is nothing. */
type Part = Html | string | number | undefined | readonly Part[];

/** Makes markup of a template; every value in it that is no markup itself is escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const texts = strings.map((text, at) => `${text}${at < parts.length ? markupOf(parts[at]) : ''}`);
  return { [markup]: texts.join('') };
}

/** Markup as text. */
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

/** Control, direction and other invisible characters become `�`: they could make a name read as another one. */
function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** A table, a row for each of `rows`; it scrolls inside where the page is too narrow for it. */
interface Table<Row> {
  caption: string;
  rows: readonly Row[];
  /** The first one heads each row. `holds` says how its cells are set. */
  columns: readonly {
    title: string;
    holds?: 'number' | 'text' | 'name' | 'code' | 'time';
    cell(row: Row, index: number): Part;
  }[];
  /** True for a row that counts nothing, which is set off less. */
  isNone?(row: Row): boolean;
  /** The row that sums up the others. */
  foot?: Html;
}

/** Lays a table out. */
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
