/** A command to run is one piece, so that it can be copied as it stands. */
const pieces = /(?<=: )tenant-users(?: [^\s(;]+)*|\S+/g;

/**
 * Breaks lines between words, at most so many characters in one; lines that fit, and longer words, stay as they are.
 * The parts of a line stand under its beginning, or under the text behind a label of so many characters.
 */
export function wrapWords(text: string, width: number, label = 0): string {
  return text
    .split('\n')
    .map((line) => (widthOf(line) > width ? wrapLine(line, width, label) : line))
    .join('\n');
}

/** Fits the paragraphs of a help text into a width; headings, and indented lines, which are lists and examples, stay. */
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

/** Rather too wide than too narrow: every character that may take two columns is taken to. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += (character.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2;
  return width;
}
