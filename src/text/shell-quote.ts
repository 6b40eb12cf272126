import { invisible } from './printable.ts';

/** Quotes a text as one word of a command line for the shells of this machine. */
export function quoteWord(text: string): string {
  return process.platform === 'win32' ? quoteForWindows(text) : quoteForPosix(text);
}

/** Quotes a word for POSIX shells. Invisible characters are escaped as `$'…'` (bash, zsh, ksh), so that the line shows them. */
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

/**
 * Quotes a word for PowerShell and `cmd`; where they differ, and for invisible characters, for PowerShell only. Programs read a
 * backslash before a double quote as its escape, so one at the end is doubled; PowerShell passes a text with a space in such quotes.
 */
export function quoteForWindows(text: string): string {
  if (/^[\w+=:./\\-]+$/.test(text)) return text;
  const passed = text.includes(' ') ? text.replace(/\\+$/, '$&$&') : text;
  if (text.search(invisible) < 0) {
    if (/["$`%]/.test(text)) return `'${passed.replaceAll("'", "''")}'`;
    return `"${text.replace(/\\+$/, '$&$&')}"`;
  }
  const escaped = passed
    .replace(/["$`]/g, '`$&')
    .replace(invisible, (character) => `\`u{${character.codePointAt(0)?.toString(16)}}`);
  return `"${escaped}"`;
}

/** Quotes a path as one word; a path that begins with a dash gets `./` before it. */
export function quotePath(path: string): string {
  return quoteWord(asOperand(path));
}

/** Returns a path that a command does not take for an option. */
export function asOperand(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

/** Adds options to the words of a command line, before `--`: all words after that are operands. */
export function withOptions(words: readonly string[], options: readonly string[]): string[] {
  const at = words.indexOf('--');
  const end = at < 0 ? words.length : at;
  return [...words.slice(0, end), ...options, ...words.slice(end)];
}

/**
 * Takes options out of the words of a command line, with their values; all words after `--` are operands. `options`: by name,
 * whether a value follows. `taken`: the words of each option that was there.
 */
export function takeOptions(words: readonly string[], options: Readonly<Record<string, boolean>>) {
  const kept: string[] = [];
  const taken: string[][] = [];
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  for (let at = 0; at < end; at += 1) {
    const word = words[at] ?? '';
    const [name = ''] = word.split('=', 1);
    if (!Object.hasOwn(options, name)) kept.push(word);
    else if (options[name] && name === word) {
      taken.push(words.slice(at, Math.min(at + 2, end)));
      at += 1;
    } else taken.push([word]);
  }
  return { kept: [...kept, ...words.slice(end)], taken };
}
