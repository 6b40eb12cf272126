type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** An object with its own keys in camelCase; the values stay. */
export function camelKeys<T extends object>(object: T) {
  const entries = Object.entries(object).map(([key, value]) => [
    key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(entries) as { [Key in keyof T as Camel<Key & string>]: T[Key] };
}

/** An object with its own keys in snake_case; the values stay. */
export function snakeKeys<T extends object>(object: T) {
  const entries = Object.entries(object).map(([key, value]) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries) as { [Key in keyof T as Snake<Key & string>]: T[Key] };
}
