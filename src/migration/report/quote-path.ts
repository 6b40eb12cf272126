/**
 * A path as one word of a command line for a POSIX shell. Invisible characters are spelled out (`$'…'`, which bash, zsh
 * and ksh read), so that the line is what it looks like; a path that begins with a dash gets `./` before it.
 */
export function quotePath(path: string): string {
  const safe = path.startsWith('-') ? `./${path}` : path;
  if (/^[\w@%+=:,./-]+$/.test(safe)) return safe;
  if (!/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(safe)) return `'${safe.replaceAll("'", `'\\''`)}'`;
  const spelled = safe
    .replace(/[\\']/g, '\\$&')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(''),
    );
  return `$'${spelled}'`;
}
