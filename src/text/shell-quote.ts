import { invisible } from './printable.ts';

/** A text as one word of a command line for the shells of this machine. */
export function quoteWord(text: string): string {
  return process.platform === 'win32' ? quoteForWindows(text) : quoteForPosix(text);
}

/** Invisible characters are escaped (`$'…'`, which bash, zsh and ksh read), so that the line is what it looks like. */
export function quoteForPosix(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  if (text.search(invisible) < 0) return `'${text.replaceAll("'", `'\\''`)}'`;
  const escaped = text
    .replace(/[\\']/g, '\\$&')
    .replace(invisible, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    );
  return `$'${escaped}'`;
}

/** As PowerShell and `cmd` read it; where they differ, and for invisible characters, as PowerShell does. */
export function quoteForWindows(text: string): string {
  if (/^[\w+=:./\\-]+$/.test(text)) return text;
  if (!/["$`%]/.test(text) && text.search(invisible) < 0) return `"${text}"`;
  if (text.search(invisible) < 0) return `'${text.replaceAll("'", "''")}'`;
  const escaped = text
    .replace(/["$`]/g, '`$&')
    .replace(invisible, (character) => `\`u{${character.codePointAt(0)?.toString(16)}}`);
  return `"${escaped}"`;
}

/** A path as one word of a command line; one that begins with a dash gets `./` before it. */
export function quotePath(path: string): string {
  return quoteWord(path.startsWith('-') ? `./${path}` : path);
}
