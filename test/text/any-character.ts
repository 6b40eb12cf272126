import fc from 'fast-check';

const surrogates = 0xe000 - 0xd800;

/**
 * Any character of Unicode, as a unit for `fc.string`. fast-check's own `'binary'` is the same, but keeps a table of
 * all characters, which costs a second of processor time and 85 megabytes in each worker.
 */
export const anyCharacter = fc
  .nat(0x10ffff - surrogates)
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + surrogates), indexOf);

/** Throws for anything but one character, so that strings are shrunk and biased as with any other unit. */
function indexOf(text: unknown): number {
  const [character = '', ...more] = typeof text === 'string' ? text : '';
  const point = character.codePointAt(0);
  if (point === undefined || more.length > 0 || !character.isWellFormed()) throw new Error('not a character');
  return point < 0xd800 ? point : point - surrogates;
}
