import { isRecord } from '../../contract/is-record.ts';
import { nearest } from '../../text/edit-distance.ts';
import { type JsonIssue, pathTo, shortJson } from './issue.ts';
import { scanJson } from './scan-json.ts';

/** Where a value stands in the file, and the list that takes all faults found. */
export interface Place {
  path: string;
  faults: JsonIssue[];
}

/** Reads a value of unknown shape; `undefined` when it is faulty, which has been noted then. */
export type Reader<T> = (value: unknown, place: Place) => T | undefined;

/** A member of an object: how it is read, and what it is when it is left out. */
export interface Field<T> {
  read: Reader<T>;
  absent(place: Place): T | undefined;
}

/** Notes a fault at a place. */
export function note({ path, faults }: Place, message: string): undefined {
  faults.push({ path, message });
}

/** The place of a member. */
export function within(place: Place, key: string | number): Place {
  return { path: pathTo(place.path, key), faults: place.faults };
}

/** A member that has a value when it is left out. */
export function or<T>(read: Reader<T>, value: T): Field<T> {
  return { read, absent: () => value };
}

/** A member that may be left out. */
export function optional<T>(read: Reader<T>): Field<T> {
  return { read, absent: () => undefined };
}

/** A member that must be there. */
export function needed<T>(read: Reader<T>): Field<T> {
  return { read, absent: (place) => note(place, 'is missing') };
}

/** An object that stands for an empty one, with all its defaults, when it is left out. */
export function section<T>(read: Reader<T>): Field<T> {
  return { read, absent: (place) => read({}, place) };
}

/** `true` or `false`. */
export const truth: Reader<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : note(place, `must be true or false, not ${shortJson(value)}`);

/** A whole number within bounds, both included. */
export function whole(min: number, max: number): Reader<number> {
  return (value, place) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : note(place, `must be a whole number from ${min} to ${max}, not ${shortJson(value)}`);
}

/** A number within bounds, both included. */
export function number(min: number, max: number): Reader<number> {
  return (value, place) =>
    typeof value === 'number' && value >= min && value <= max
      ? value
      : note(place, `must be a number from ${min} to ${max}, not ${shortJson(value)}`);
}

/** A text that a shape accepts; `wanted` says in words what that is. */
export function text(accepts: (value: string) => boolean, wanted: string): Reader<string> {
  return (value, place) =>
    typeof value === 'string' && accepts(value)
      ? value
      : note(place, `must be ${wanted}, not ${shortJson(value)}`);
}

/** One of a few values. */
export function oneOf<const T extends string | number | boolean>(values: readonly T[]): Reader<T> {
  const names = values.map(String);
  const wanted = values.length > 1 ? `one of ${names.join(', ')}` : names[0];
  return (value, place) => {
    const found = values.find((each) => each === value);
    return found ?? note(place, `must be ${wanted}, not ${shortJson(value)}${meant(value, names)}`);
  };
}

/** A list is read by `many`, anything else by `single`. */
export function listOr<A, B>(single: Reader<A>, many: Reader<B>): Reader<A | B> {
  return (value, place) => (Array.isArray(value) ? many : single)(value, place);
}

/** An object is read by `inner`, anything else by `single`. */
export function objectOr<A, B>(single: Reader<A>, inner: Reader<B>): Reader<A | B> {
  return (value, place) => (isRecord(value) ? inner : single)(value, place);
}

/** A list without repeats, of one member at least. */
export function listOf<T>(read: Reader<T>): Reader<T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return note(place, `must be a list, not ${shortJson(value)}`);
    if (value.length === 0) return note(place, 'must not be empty');
    return value.flatMap((member, index) => {
      const here = within(place, index);
      if (value.indexOf(member) < index) note(here, `${shortJson(member)} stands twice`);
      return read(member, here) ?? [];
    });
  };
}

/** An object whose keys are the tenant's own: `key` tells what is wrong with one. */
export function record<T>(
  read: Reader<T>,
  key: (name: string) => string | undefined,
): Reader<Record<string, T>> {
  return (value, place) => {
    if (!isRecord(value)) return note(place, `must be an object, not ${shortJson(value)}`);
    const entries = Object.entries(value).flatMap(([name, member]): [string, T][] => {
      const here = within(place, name);
      const wrong = key(name);
      if (wrong !== undefined) note(here, wrong);
      const result = wrong === undefined ? read(member, here) : undefined;
      return result === undefined ? [] : [[name, result]];
    });
    return Object.fromEntries(entries);
  };
}

/** Rules between the members of an object that has no fault in itself. */
export type CrossCheck<T> = (value: T, place: Place) => void;

/** An object with the keys of a table and no others; `null` members are told by `ofNull` where it is given. */
export function object<T extends object>(
  fields: { [Key in keyof T]-?: Field<Exclude<T[Key], undefined>> },
  { check, ofNull, noun = 'key' }: { check?: CrossCheck<T>; ofNull?: string; noun?: string } = {},
): Reader<T> {
  const names = Object.keys(fields) as (keyof T & string)[];
  return (value, place) => {
    if (!isRecord(value)) return note(place, `must be an object, not ${shortJson(value)}`);
    const before = place.faults.length;
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(fields, key))
        note(within(place, key), `unknown ${noun}${meant(key, names) || `; known are ${names.join(', ')}`}`);
    }
    const result: Partial<T> = {};
    for (const name of names) {
      const { read, absent } = fields[name];
      const here = within(place, name);
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      if (given === null && ofNull !== undefined) note(here, ofNull);
      else {
        const member = given === undefined ? absent(here) : read(given, here);
        if (member !== undefined) result[name] = member;
      }
    }
    if (place.faults.length > before) return undefined;
    const whole = result as T;
    check?.(whole, place);
    return place.faults.length > before ? undefined : whole;
  };
}

function meant(given: unknown, names: readonly string[]): string {
  const name = typeof given === 'string' ? nearest(given, names) : undefined;
  return name === undefined ? '' : ` (did you mean ${name}?)`;
}

/** Reads a JSON text whole, or gives all its faults; a text that is no JSON has one, which tells line and column. */
export function readJson<T>(given: string, read: Reader<T>): { value: T } | { faults: JsonIssue[] } {
  const text = given.replace(/^\uFEFF/, '');
  const faults = scanJson(text);
  if (faults.some(({ path }) => path === '')) return { faults };
  const value = read(JSON.parse(text), { path: '', faults });
  return value === undefined || faults.length > 0 ? { faults } : { value };
}
