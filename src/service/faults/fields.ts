/** What is wrong with a value, and where it stands: `faults[2].do.status`; `''` is the file itself. */
export interface Mistake {
  path: string;
  reason: string;
}

/** Reads a JSON value; adds what is wrong with it to `mistakes` and gives `undefined` then. */
export type Read<T> = (value: unknown, path: string, mistakes: Mistake[]) => T | undefined;

type Value<R> = R extends Read<infer T> ? T : never;
type Rows = Record<string, Read<unknown>>;
type Found<Required extends Rows, Optional extends Rows> = {
  [Name in keyof Required]: Value<Required[Name]>;
} & { [Name in keyof Optional]?: Value<Optional[Name]> };

/** A number within bounds, both included. */
export function numberFrom(min: number, max: number): Read<number> {
  return (value, path, mistakes) => {
    if (typeof value === 'number' && value >= min && value <= max) return value;
    return mistaken(mistakes, path, `must be a number from ${min} to ${max}`);
  };
}

/** A whole number within bounds, both included. */
export function wholeFrom(min: number, max: number): Read<number> {
  return (value, path, mistakes) => {
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    return mistaken(mistakes, path, `must be a whole number from ${min} to ${max}`);
  };
}

/** One of a few values. */
export function oneOf<const T extends string | number | boolean | null>(...values: readonly T[]): Read<T> {
  const known = values.map((value) => JSON.stringify(value)).join(', ');
  const rule = `must be ${values.length > 1 ? 'one of ' : ''}${known}`;
  return (value, path, mistakes) => {
    const at = (values as readonly unknown[]).indexOf(value);
    return at === -1 ? mistaken(mistakes, path, rule) : values[at];
  };
}

/** A text of any kind. */
export const text: Read<string> = (value, path, mistakes) =>
  typeof value === 'string' ? value : mistaken(mistakes, path, 'must be a text');

/** A list of at least one item; it is not given where an item is wrong. */
export function listOf<T>(item: Read<T>): Read<T[]> {
  return (value, path, mistakes) => {
    if (!Array.isArray(value) || value.length === 0) {
      return mistaken(mistakes, path, 'must be a list that is not empty');
    }
    const before = mistakes.length;
    const items = value.map((one: unknown, index) => item(one, `${path}[${index}]`, mistakes));
    return mistakes.length > before ? undefined : items.filter((one) => one !== undefined);
  };
}

/** A list is read by `many`, anything else by `single`. */
export function listOr<A, B>(single: Read<A>, many: Read<B>): Read<A | B> {
  return (value, path, mistakes) => (Array.isArray(value) ? many : single)(value, path, mistakes);
}

/** An object is read by `inner`, anything else by `single`. */
export function objectOr<A, B>(single: Read<A>, inner: Read<B>): Read<A | B> {
  return (value, path, mistakes) => (isObject(value) ? inner : single)(value, path, mistakes);
}

/** An object with these fields and no others; it is not given where a field is wrong. */
export function fields<Required extends Rows, Optional extends Rows>(
  required: Required,
  optional: Optional,
): Read<Found<Required, Optional>> {
  const rows: Rows = { ...required, ...optional };
  return (value, path, mistakes) => {
    if (!isObject(value)) return mistaken(mistakes, path, 'must be an object');
    const before = mistakes.length;
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(value, name)) mistaken(mistakes, below(path, name), 'is missing');
    }
    const entries = Object.entries(value).map(([name, one]) => {
      const read = Object.hasOwn(rows, name) ? rows[name] : undefined;
      if (!read)
        mistaken(mistakes, below(path, name), `is not known here; known are ${Object.keys(rows).join(', ')}`);
      return [name, read?.(one, below(path, name), mistakes)];
    });
    return mistakes.length > before ? undefined : (Object.fromEntries(entries) as Found<Required, Optional>);
  };
}

/** A reader whose value must also make sense; `fault` gives the reason why it does not. */
export function sound<T>(read: Read<T>, fault: (value: T) => string | undefined): Read<T> {
  return (value, path, mistakes) => {
    const found = read(value, path, mistakes);
    const reason = found === undefined ? undefined : fault(found);
    return reason === undefined ? found : mistaken(mistakes, path, reason);
  };
}

/** Adds a mistake. */
export function mistaken(mistakes: Mistake[], path: string, reason: string): undefined {
  mistakes.push({ path, reason });
}

/** Is it a JSON object? */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
