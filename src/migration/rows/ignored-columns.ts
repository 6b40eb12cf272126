import { looksLikeHash } from '../hashes/formats.ts';
import { placeOf } from '../model/source-record.ts';
import { nameWords, statusOf } from './fields/looks-like-status.ts';
import { hasControlCharacter, isNullMarker } from './fields/validate-cell.ts';
import type { PreparedRecord } from './prepared-source.ts';

/** Names of salts as whole words; `sal` and `sel` mean other things beside other words. */
const saltName =
  /(?:^|_)(?:pw|pwd|pass|password|passwort)?(?:salt(?:key|value)?|salz(?:wert)?|zout|grain_?de_?sel|соль)(?:_|$)|^(?:sal|sel)$|盐|鹽|ソルト|솔트/i;

/** True for the name of a salt that means something else in another language or department: salary, saddle, seal. */
export function mayMeanOther(name: string): boolean {
  return /^(?:sal|sel)$/i.test(nameWords(name));
}

/** True for a name such as `salt`, `passwordSalt`, `credentials.salt`, `Salz` or 盐值, whose values were hashed with the password. */
export function looksLikeSalt(name: string): boolean {
  return saltName.test(nameWords(name));
}

/**
 * Returns the name, or the position of the column if the name does not look like one: it may be a value. Of such a name, the part
 * that says that the column is a status is shown.
 */
export function shownName(name: string, index: number): string {
  const line = name.replaceAll(/\s*[\r\n]\s*/g, ' ');
  const shown = [line, statusOf(line) ?? ''].find(isShown);
  return shown ?? placeOf(index);
}

/** Returns what is shown of a list of objects that is not read; see `Scanned`. */
export function shownList(name: string): string {
  return isShown(name) ? `the list ${name}` : 'a list';
}

const longestWord = 24;

/** True for a word of a file, such as one of a status, that may be shown: short, and neither an address, a long number nor a hash. */
export function isWord(text: string): boolean {
  return (
    text.length <= longestWord &&
    !text.includes('@') &&
    !hasControlCharacter(text) &&
    !/\d{5}/.test(text) &&
    !looksLikeHash(text)
  );
}

/** A JSON path, such as `profile.emails.0.value` or `_id.$oid`, may be long: only its parts have a limit. */
const jsonPath = /^[\p{L}_][\p{L}\p{N}_: -]{0,29}(?:\.(?:\$?[\p{L}_][\p{L}\p{N}_: -]{0,29}|\d{1,4})){1,9}$/u;

/** The name of a column, perhaps with a remark as in `First Name [Required]`. */
const plainName = /^[\p{L}_][\p{L}\p{N}_.:'’ -]{0,29}(?: \[[\p{L} ]{1,20}\])?$/u;

/** True for a text that looks like the name of a column. */
export function isShown(name: string): boolean {
  return plainName.test(name) || jsonPath.test(name);
}

/** Describes a digest with a salt in another column: the API hashes passwords without a salt, so nobody could log in. */
export function saltedDigest(column: string) {
  return {
    format: `digest with a salt in the column ${column}`,
    remedy:
      'Let these users set a new password (--foreign-hashes passwordless). Only where a known password shows that the salt is not used (hash verify), import the file without that column.',
  };
}

/** Returns the name of a column that is not imported and has a salt in this record; `undefined` if there is none. */
export function saltColumn(
  { salt, cells }: PreparedRecord,
  { salts, header }: { salts: readonly number[]; header: readonly string[] },
): string | undefined {
  if (salt !== undefined) return salt;
  const index = salts.find((one) => isSalt(cells[one]));
  return index === undefined ? undefined : shownName(header[index] ?? '', index);
}

/** True if a cell in a column of salts holds one. */
export function isSalt(cell = ''): boolean {
  return cell !== '' && !isNullMarker(cell);
}
