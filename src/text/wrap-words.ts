/** Pieces that are never broken: words, and commands after a colon, so that they can be copied. */
const pieces = /(?<=: )tenant-users(?: [^\s(;]+)*|\S+/g;

/**
 * Breaks lines longer than `width` characters between words; a word that is longer stays whole. Continuation lines are indented to
 * the start of the line, or to the text after a label of `label` characters.
 */
export function wrapWords(text: string, width: number, label = 0): string {
  return text
    .split('\n')
    .map((line) => (widthOf(line) > width ? wrapLine(line, width, label) : line))
    .join('\n');
}

/** Wraps the paragraphs of a help text to a width; headings and indented lines (lists and examples) stay as they are. */
export function reflow(text: string, width: number): string {
  return text.replace(paragraph, (lines) => wrapWords(lines.replaceAll('\n', ' '), width));
}

const paragraph = /^(?![A-Z][a-z ]+:$)\S.*(?:\n(?![A-Z][a-z ]+:$)\S.*)*/gm;

function wrapLine(text: string, width: number, label: number): string {
  const lead = label > 0 ? text.slice(0, label) : (/^ */.exec(text)?.[0] ?? '');
  const lines: string[] = [];
  let line = '';
  for (const [piece] of text.slice(lead.length).matchAll(pieces)) {
    const longer = line === '' ? lead + piece : `${line} ${piece}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = ' '.repeat(lead.length) + piece;
    } else {
      line = longer;
    }
  }
  return [...lines, line].join('\n');
}

/** An upper bound: every character that may take two columns counts as two. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
  return width;
}
