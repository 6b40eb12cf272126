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

/** A table with its caption, which scrolls inside where the page is too narrow for it. */
export function scrollingTable(caption: string, rows: Html): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
${rows}</table></div>
`;
}
