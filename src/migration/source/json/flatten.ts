import { longestName } from '../../model/source-record.ts';

/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Levels below a record at which values are read. */
const deepest = 16;

/** Items of a list that are read: a longer list holds something other than facts about a user. */
const mostItems = 10;

/** Matches a number that JavaScript would round, or write in another way; a match inside a string does no harm. */
const mayBeRounded = /[\s:,[]-?(?:\d{16}|\d+[.eE])/;
/** A number, or a piece of a string: up to its end or its next escape, so that a long one takes no room on the stack. */
const pieceOrNumber = /(?:"|\\.)[^"\\]*"?|-?\d[\d.eE+-]*/g;

/** Parses a record; if JavaScript could change one of its numbers, they become strings, as written. Throws a `SyntaxError`. */
export function parseRecord(text: string): JsonValue {
  if (!mayBeRounded.test(text)) return JSON.parse(text);
  // Rejects malformed numbers, which would become valid strings below.
  JSON.parse(text);
  return JSON.parse(text.replaceAll(pieceOrNumber, (token) => (/^["\\]/.test(token) ? token : `"${token}"`)));
}

/**
 * Passes each value of a record to `add` with its path: names and list positions, joined by dots; the items of a list of attributes
 * have the attributes' names, and those of a list `identifiers` their types. Skips `null`, empty strings, and values nested deeper
 * than in any user record. Nothing is read below a path that is too long for a column: it is passed on alone, to be refused. Strings
 * at the paths of `inner` are parsed as JSON. A time of MongoDB is ISO text, at a path that ends in `.$date`, however the export
 * writes it.
 */
export function flatten(
  value: JsonValue,
  add: (path: string, text: string) => void,
  inner: ReadonlySet<string> = new Set(),
  path = '',
  depth = 0,
): void {
  if (value === null || value === '') return;
  const time = path.endsWith('.$date') ? timeOf(value) : undefined;
  if (time !== undefined) {
    add(path, time);
    return;
  }
  if (typeof value !== 'object') {
    const text = String(value);
    const parsed = inner.has(path) ? innerValue(text) : undefined;
    if (parsed === undefined) add(path, text);
    else flatten(parsed, add, inner, path, depth + 1);
    return;
  }
  if (path.length > longestName) {
    add(path, '');
    return;
  }
  if (depth === deepest) return;
  const members = Array.isArray(value)
    ? (attributesOf(value) ??
      (/(?:^|\.)identifiers$/.test(path) ? identifiersOf(value) : undefined) ??
      passwordFirst(value).slice(0, mostItems).entries())
    : Object.entries(value);
  for (const [name, member] of members) {
    flatten(member, add, inner, path === '' ? String(name) : `${path}.${name}`, depth + 1);
  }
}

/** Returns a time that mongoexport writes as milliseconds, `{"$numberLong": "0"}` or a number, as ISO text; else `undefined`. */
function timeOf(value: JsonValue): string | undefined {
  const written = isObject(value) ? value.$numberLong : value;
  if (typeof written !== 'number' && !/^-?\d{1,16}$/.test(String(written))) return undefined;
  const time = new Date(Number(written));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

export function isObject(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Moves the password to the front of Keycloak's list of credentials: the other items have members of the same names. */
function passwordFirst(list: JsonValue[]): JsonValue[] {
  const isPassword = (item: JsonValue) => typeOf(item) === 'password';
  if (!list.some(isPassword)) return list;
  return [...list.filter(isPassword), ...list.filter((item) => !isPassword(item))];
}

/** The types of identifiers in Auth0. */
const identifierTypes = new Set(['email', 'phone_number', 'username']);

/**
 * Returns the items of Auth0's list of identifiers, such as `[{"type": "email", "value": "a@b"}]`, by their types; `undefined` for
 * any other list.
 */
function identifiersOf(list: JsonValue[]): [string, JsonValue][] | undefined {
  const identifiers = new Map<string, JsonValue>();
  for (const item of list) {
    const type = typeOf(item);
    if (type === undefined || !identifierTypes.has(type) || identifiers.has(type)) return undefined;
    identifiers.set(type, item);
  }
  return identifiers.size > 0 ? [...identifiers] : undefined;
}

/** The type that an item of a list names. */
function typeOf(item: JsonValue): string | undefined {
  return isObject(item) && typeof item.type === 'string' ? item.type : undefined;
}

/** Returns the attributes of a list such as `[{"Name": "email", "Value": "a@b"}]`; `undefined` for any other list. */
function attributesOf(list: JsonValue[]): [string, JsonValue][] | undefined {
  const attributes = new Map<string, JsonValue>();
  for (const item of list) {
    if (!isObject(item)) return undefined;
    const { Name: name, Value: value = null, ...others } = item;
    const isAttribute = typeof name === 'string' && name !== '' && Object.keys(others).length === 0;
    if (!isAttribute || attributes.has(name)) return undefined;
    attributes.set(name, value);
  }
  return attributes.size > 0 ? [...attributes] : undefined;
}

/** Returns the object that a string contains as JSON; `undefined` for any other string. */
function innerValue(text: string): JsonValue | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return parseRecord(text);
  } catch {
    return undefined;
  }
}
