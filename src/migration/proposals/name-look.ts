import { time } from './date-look.ts';

/** What people log in with: a word, and no id that a program made. */
const login = /^(?![\da-f](?:-?[\da-f]){3,}-?$)[\p{L}\p{N}._@\\+$-]{2,64}$/iu;
/** The part of a column that must be names, each of another person: some may be missing or wrong. */
const nearlyAll = 0.9;

/** Creates an empty look at a column: whether people can log in with its values. */
export function createNameLook() {
  const names = new Set<string>();
  let values = 0;
  let hasLetters = false;
  return {
    add(value: string): void {
      const text = value.trim();
      values += 1;
      if (!login.test(text) || time.test(text)) return;
      names.add(text.toLowerCase());
      hasLetters ||= /\p{L}/u.test(text);
    },
    /** True if each value is a word that nobody else has. */
    areNames: () => values > 0 && names.size >= nearlyAll * values,
    /** True if some of them are more than a number. */
    hasLetters: () => hasLetters,
  };
}
