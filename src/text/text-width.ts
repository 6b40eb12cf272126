import stringWidth from 'string-width';

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A text that takes exactly so much of a line: filled with blanks, or cut with `…`. */
export function padTo(text: string, width: number): string {
  const own = stringWidth(text);
  if (own <= width) return text + ' '.repeat(width - own);
  const { taken, takes } = take(text, width - 1);
  return `${taken}…${' '.repeat(width - 1 - takes)}`;
}

/** A text that takes exactly so much of a line: filled with blanks, or its end after `…`. */
export function tailTo(text: string, width: number): string {
  if (stringWidth(text) <= width) return padTo(text, width);
  let tail = '';
  let takes = 0;
  for (const { segment } of [...characters.segment(text)].reverse()) {
    takes += stringWidth(segment);
    if (takes >= width) break;
    tail = segment + tail;
  }
  return padTo(`…${tail}`, width);
}

/** A text in lines of at most so much width; what comes after the last of them is cut with `…`. */
export function wrapTo(text: string, width: number, mostLines: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (stringWidth(rest) > width && lines.length < mostLines - 1) {
    // A character that is wider than the line takes it alone, and is cut there.
    const taken = take(rest, width).taken || first(rest);
    lines.push(taken);
    rest = rest.slice(taken.length);
  }
  return [...lines, rest];
}

/** As much of a text's beginning as the width has room for; what a reader sees as one character stays whole. */
function take(text: string, width: number): { taken: string; takes: number } {
  let taken = '';
  let takes = 0;
  for (const { segment } of characters.segment(text)) {
    const more = stringWidth(segment);
    if (takes + more > width) break;
    taken += segment;
    takes += more;
  }
  return { taken, takes };
}

function first(text: string): string {
  return characters.segment(text)[Symbol.iterator]().next().value?.segment ?? text;
}
