import { type Html, html } from './html.ts';

/** A table with its caption, which scrolls inside where the page is too narrow for it. */
export function scrollingTable(caption: string, rows: Html): Html {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
${rows}</table></div>
`;
}
