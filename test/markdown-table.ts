/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** A `|` would end the cell, and an angle bracket outside code would be read as HTML. */
function cell(text: string): string {
  const parts = text.replaceAll('|', '\\|').replaceAll('\n', ' ').split('`');
  return parts.map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part)).join('`');
}
