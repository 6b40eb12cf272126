import type { Value } from './database.ts';

/**
 * A value as both databases keep it whole. PostgreSQL has no U+0000 in texts, and SQLite cuts a text there, so that
 * `id\0x` would find `id`. No rule lets one through into a stored value; in a look-up it must find nothing, and the last
 * code point, which is no character either, does that.
 */
export function storable(value: Value): Value {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{10ffff}') : value;
}
