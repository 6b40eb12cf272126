/** Control, direction and other invisible characters: they can control a terminal, or make a text look like another one. */
export const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Makes a text safe to show: replaces each invisible character by `�`. */
export function printable(text: string): string {
  return text.replace(invisible, '\uFFFD');
}

/** Puts a text on one line: the next lines of what somebody else wrote would look like lines of the program, such as its advice. */
export function onOneLine(text: string): string {
  return text.replace(/[\r\n\v\f\u0085\u2028\u2029]\s*/g, ' ');
}
