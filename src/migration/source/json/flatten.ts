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
 * have the attributes' names. Skips `null`, empty strings, and values nested deeper than in any user record. Strings at the paths
 * of `inner` are parsed as JSON.
 */
export function flatten(
  value: JsonValue,
  add: (path: string, text: string) => void,
  inner: ReadonlySet<string> = new Set(),
  path = '',
  depth = 0,
): void {
  if (value === null || value === '') return;
  if (typeof value !== 'object') {
    const text = String(value);
    const parsed = inner.has(path) ? innerValue(text) : undefined;
    if (parsed === undefined) add(path, text);
    else flatten(parsed, add, inner, path, depth + 1);
    return;
  }
  if (depth === deepest) return;
  const members = Array.isArray(value)
    ? (attributesOf(value) ?? wantedFirst(value).slice(0, mostItems).entries())
    : Object.entries(value);
  for (const [name, member] of members) {
    flatten(member, add, inner, path === '' ? String(name) : `${path}.${name}`, depth + 1);
  }
}

/**
 * Moves the password to the front of Keycloak's list of credentials, and the e-mail address to the front of Auth0's list of
 * identifiers: the other items have members of the same names.
 */
function wantedFirst(list: JsonValue[]): JsonValue[] {
  const isWanted = (item: JsonValue) =>
    typeof item === 'object' &&
    item !== null &&
    !Array.isArray(item) &&
    (item.type === 'password' || item.type === 'email');
  if (!list.some(isWanted)) return list;
  return [...list.filter(isWanted), ...list.filter((item) => !isWanted(item))];
}

/** Returns the attributes of a list such as `[{"Name": "email", "Value": "a@b"}]`; `undefined` for any other list. */
function attributesOf(list: JsonValue[]): [string, JsonValue][] | undefined {
  const attributes = new Map<string, JsonValue>();
  for (const item of list) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
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
