import type { Value } from './database.ts';

/**
 * Returns a value that both databases store whole. PostgreSQL has no U+0000 in texts, and SQLite cuts a text there, so that `id\0x`
 * would find `id`. No rule accepts U+0000 in a stored value, and a look-up with it must find nothing. The last code point, which is
 * not a character either, takes its place.
 */
export function storable(value: Value): Value {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{10ffff}') : value;
}
