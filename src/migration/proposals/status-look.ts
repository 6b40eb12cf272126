import { neverComes } from '../recipes/compile-rule.ts';
import { isWordForNone, readFlag } from '../recipes/read-flag.ts';
import { isBeside, meaningOfWord } from '../rows/fields/looks-like-status.ts';
import { mayBePassword, suggestField } from '../rows/fields/suggest-field.ts';
import { isNoDay, isNullMarker } from '../rows/fields/validate-cell.ts';
import { isWord, looksLikeSalt } from '../rows/ignored-columns.ts';

/** Most distinct words in a column of a status, a gender or an algorithm. */
export const mostWords = 16;
/** Number of values by which most of what a column may be is recognized; counts are of all rows. */
export const mostLooked = 1000;

/** A time: of a lock, it only matters whether there is one, or when it ends. */
export const time = /^\d{1,4}[-/.]\d{1,2}[-/.]\d|\d:\d|(?:^|\D)(?:19|20)\d\d(?:\D|$)/;
/**
 * A time as programs write it: since 1970 (also 2100, for no end) or, on Windows, 1601, in days since 1970 or 1900, or without
 * punctuation.
 */
const timestamp =
  /^(?:[1-6]\d{4}|[12]\d{9}(?:\d{3})?|4102444800(?:000)?|1[34]\d{16}|(?:19|20)\d{6}(?:\d{6}.*)?)$/;
/** A number, such as one of points, that is no flag. */
const number = /^(?!-?[01]$)-?\d+(?:[.,]\d+)?$/;
/** An address of a person or a page, or a telephone number, says nothing of who may log in. */
const address = /@|:\/\/|^\+\d/;
const dash = /^[-–—]{1,2}$/;

/** True for a text that stands for no value. */
export const isMarker = (cell: string) => isNullMarker(cell) || dash.test(cell);

/** True for a word that is no time. */
export const isPlainWord = (text: string) => isWord(text) && !time.test(text);

/** True for a word that may say whether somebody may log in. */
export const isKnownWord = (word: string) =>
  readFlag(word) !== undefined || meaningOfWord(word) !== undefined;

/** Names of columns that may say who must change the password. */
const mustChangeName =
  /^(?=.*(?:pass|pwd|密码|密碼))(?=.*(?:chang|reset|expir|temp|must|forc|init|modif|änder|初始|修改|重置))/i;

/** Names of times that a database has for each record, and such as may be of one person. */
const otherName = /creat|updat|modif|@|\d{5}/i;

/** True for a column that by its name is something else: of a field of the API, of secrets, of a second factor. */
function isOther(name: string, word: string): boolean {
  const field = suggestField(word);
  const isField = field !== undefined && !field.startsWith('extension.');
  return isField || mayBePassword(word) || looksLikeSalt(word) || isBeside(name) || otherName.test(name);
}

/** True for a column of flags that by its name may say who must change the password. */
export const maySayMustChange = (name: string, values?: ReadonlyMap<string, unknown>) =>
  mustChangeName.test(name) && [...(values?.keys() ?? [''])].every((word) => readFlag(word) !== undefined);

/** Creates an empty look at the values of a column. */
export function createStatusLook() {
  const words = new Map<string, number>();
  const wordsForNone = new Set<string>();
  let [filled, blank, zeros, times, numbers, addresses, isFew, areWords] = [0, 0, 0, 0, 0, 0, true, true];

  function addWord(text: string): void {
    const known = words.get(text);
    if (known !== undefined) words.set(text, known + 1);
    else if (words.size === mostWords) isFew = false;
    else {
      words.set(text, 1);
      areWords &&= isPlainWord(text);
    }
  }

  /** True if few values are those of many people, or say yes or no: what is only of one person is not shown. */
  const areShared = () =>
    isFew &&
    (2 * words.size <= filled + (words.size > 1 ? 1 : 0) ||
      (areWords && [...words.keys()].every(isKnownWord)));
  return {
    add(cell: string): void {
      const text = cell.trim();
      if (text === '' || isMarker(text)) {
        blank += 1;
        return;
      }
      filled += 1;
      const isForNone = isWordForNone(text);
      if (isForNone && wordsForNone.size < mostWords) wordsForNone.add(text);
      const isNever = neverComes(text);
      if (isForNone || isNever || text === '0' || isNoDay(text)) zeros += 1;
      addWord(text);
      if (time.test(text) || timestamp.test(text)) times += 1;
      else if (number.test(text) && !isNever) numbers += 1;
      if (address.test(text)) addresses += 1;
    },
    /** Distinct values with their row counts, if they are a few words. */
    words: () => (isFew && areWords && words.size > 0 ? words : undefined),
    areShared,
    /** Number of rows with a value, and without one. Of the former: in which it says "none" if it is a time, and the words for that. */
    counts: () => ({ filled, blank, zeros, wordsForNone: [...wordsForNone] }),
    /** True if these may say who may not log in: few that many people have, or such as only some have. `word`: what `wordOf` returns. */
    maySay(name: string, word: string): boolean {
      const given = filled - zeros;
      if (words.size + Math.sign(blank) < 2 || 2 * addresses > filled || isOther(name, word)) return false;
      if (maySayMustChange(name, words)) return false;
      const areSome = given > 0 && given < filled + blank;
      // Of many numbers that are none, a few look like times.
      const areTimes = times > numbers && 2 * (times + zeros) > filled;
      if (areTimes) return areSome || 2 * Math.max(...words.values()) > filled;
      return areShared() || (areSome && isFew && areWords && 2 * given <= filled + blank);
    },
  };
}
