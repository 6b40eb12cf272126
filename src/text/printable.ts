/** Control, direction and other invisible characters: they can drive a terminal, or make a text read as another one. */
export const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Makes a text harmless for a reader and a terminal: each invisible character becomes `�`. */
export function printable(text: string): string {
  return text.replace(invisible, '\uFFFD');
}
