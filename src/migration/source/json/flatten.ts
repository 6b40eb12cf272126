/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** Levels below a record at which values still get names. */
const deepest = 16;

/** Items of a list that get names: a list that goes on holds something else than facts about a user. */
const mostItems = 10;

/** A number whose digits JavaScript would round, outside of texts, or one it would write in another way. */
const mayBeRounded = /[\s:,[]-?(?:\d{16}|\d+[.eE])/;
const textOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** Parses a record; numbers of many digits stay the text that they are. Throws a `SyntaxError`. */
export function parseRecord(text: string): JsonValue {
  if (!mayBeRounded.test(text)) return JSON.parse(text);
  // What is no number would be a text then.
  JSON.parse(text);
  return JSON.parse(text.replaceAll(textOrNumber, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}

/**
 * Gives each value of a record to `add` by its path: the names and the positions of items, joined by dots; the items of a list of
 * attributes have the names that they say. What is `null`, empty, or deeper than any record of a user is left out. The texts at the paths of `inner` are JSON themselves.
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
 * Of credentials, as Keycloak lists them, the password comes first, and of identifiers, as Auth0 lists them, the address: the
 * others have values of the same names.
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

/** The attributes of a list such as `[{"Name": "email", "Value": "a@b"}]`; `undefined` for any other list. */
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

/** An object that a text holds; `undefined` for any other text. */
function innerValue(text: string): JsonValue | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return parseRecord(text);
  } catch {
    return undefined;
  }
}
