import { invisible } from './printable.ts';

/**
 * A text as one word of a command line for a POSIX shell. Invisible characters are escaped (`$'…'`, which bash, zsh
 * and ksh read), so that the line is what it looks like.
 */
export function quoteWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (text.search(invisible) < 0) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(invisible, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    );
  return `$'${escaped}'`;
}

/** A path as one word of a command line for a POSIX shell; one that begins with a dash gets `./` before it. */
export function quotePath(path: string): string {
  return quoteWord(path.startsWith('-') ? `./${path}` : path);
}
