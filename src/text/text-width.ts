import stringWidth from 'string-width';

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns a text exactly `width` columns wide: filled with blanks, or cut with `…`. */
export function padTo(text: string, width: number): string {
  const own = stringWidth(text);
  if (own <= width) return text + ' '.repeat(width - own);
  const { taken, takes } = take(text, width - 1);
  return `${taken}…${' '.repeat(width - 1 - takes)}`;
}

/** Returns a text exactly `width` columns wide: filled with blanks, or its end after `…`. */
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

/** Breaks a text into at most `mostLines` lines of at most `width` columns. The last line holds the rest, which may be wider. */
export function wrapTo(text: string, width: number, mostLines: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (stringWidth(rest) > width && lines.length < mostLines - 1) {
    // A character wider than the line gets a line of its own.
    const taken = take(rest, width).taken || first(rest);
    lines.push(taken);
    rest = rest.slice(taken.length);
  }
  return [...lines, rest];
}

/** Returns the longest beginning of a text that fits into `width` columns, and its width; never splits a grapheme. */
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
