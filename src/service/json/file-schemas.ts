import * as v from 'valibot';
import { isRecord } from '../../contract/is-record.ts';
import { nearest } from '../../text/edit-distance.ts';
import { shortJson } from './issue.ts';

/*
 * Schemas of files that people write by hand. Their messages are for the author of the file: what is expected, and what is
 * given. All are meant for `readValue`, which reports only the first issue of each value.
 */

type Issue = v.BaseIssue<unknown>;
type AnySchema = v.GenericSchema;

/** Returns a function that makes the message "must be …, not …". */
function mustBe(wanted: string): (issue: Issue) => string {
  return ({ input }) => `must be ${wanted}, not ${shortJson(input)}`;
}

export const boolean = v.boolean(mustBe('true or false'));

/** A whole number from `min` to `max`, both included. */
export function integer(min: number, max: number) {
  const message = mustBe(`a whole number from ${min} to ${max}`);
  return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

/** A number from 0 to `max`, both included. */
export function numberUpTo(max: number) {
  const message = mustBe(`a number from 0 to ${max}`);
  return v.pipe(v.number(message), v.minValue(0, message), v.maxValue(max, message));
}

/** A text that a rule accepts; `wanted` describes it in the message. */
export function string(accepts: (value: string) => boolean, wanted: string) {
  const message = mustBe(wanted);
  return v.pipe(v.string(message), v.check(accepts, message));
}

/** One of a few values. */
export function oneOf<const Values extends readonly (string | number)[]>(values: Values) {
  const names = values.map(String);
  const message = mustBe(`one of ${names.join(', ')}`);
  return v.picklist(values, (issue) => `${message(issue)}${meant(issue.input, names)}`);
}

/** Only the value `true`. */
export const onlyTrue = v.literal(true, mustBe('true'));

/** A list of at least one member, without duplicates. */
export function listOf<Item extends AnySchema>(item: Item) {
  return v.pipe(
    v.array(item, mustBe('a list')),
    v.nonEmpty('must not be empty'),
    v.checkItems(
      (member, index, members) => members.indexOf(member) === index,
      ({ input }) => `${shortJson(input)} is given twice`,
    ),
  );
}

/** One value or a list of them. */
export function oneOrList<One extends AnySchema, List extends AnySchema>(one: One, list: List) {
  return v.lazy((input): One | List => (Array.isArray(input) ? list : one));
}

/** An object whose keys the author chooses. */
export function record<Key extends v.GenericSchema<string, string>, Value extends AnySchema>(
  key: Key,
  value: Value,
) {
  return onlyObjects(v.record(key, value), mustBe('an object'));
}

/** Key of a text for readers of the file, as in JSON Schema; the value must be a text, and is ignored. */
const commentKey = '$comment';

/**
 * An object with these keys, an optional comment, and no others. Each unknown key is an issue that names the key which was probably
 * meant. `noun`: what messages call a key. `ofNull`: message for `null`.
 */
export function object<const Entries extends v.ObjectEntries>(
  entries: Entries,
  { noun = 'key', ofNull }: { noun?: string; ofNull?: string } = {},
) {
  const names = Object.keys(entries);
  const wanted = mustBe('an object');
  const known = v.object(entries, 'is missing');
  // The library reports the first unknown key only.
  const strict: v.StrictObjectSchema<Entries, undefined> = {
    ...v.strictObject(entries),
    // The comment is in the entries only for the JSON Schema.
    entries: { ...entries, [commentKey]: v.exactOptional(v.string()) },
    '~run'(dataset, config) {
      const given = dataset.value as object;
      const comment = (given as Record<string, unknown>)[commentKey];
      const unknown = Object.keys(given).filter((key) => key !== commentKey && !Object.hasOwn(entries, key));
      const badComment =
        comment === undefined || typeof comment === 'string'
          ? []
          : rejected('must be a text', given, commentKey);
      const issues = unknown.flatMap((key) => {
        const hint = meant(key, names) || `; available: ${names.join(', ')}`;
        return rejected(`unknown ${noun}${hint}`, given, key);
      });
      const result = known['~run'](dataset, config);
      const [first, ...more] = [...badComment, ...issues, ...(result.issues ?? [])] as v.InferIssue<
        typeof known
      >[];
      return first ? { typed: false, value: result.value, issues: [first, ...more] } : result;
    },
  };
  return onlyObjects(strict, (issue) => (issue.input === null && ofNull ? ofNull : wanted(issue)));
}

/** Checks a rule between members of an object that are each valid; `report` adds an issue to one of them, or to the object. */
export function crossCheck<Value extends object>(
  check: (value: Value, report: (message: string, key?: keyof Value & string) => void) => void,
) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    check(value, (message, key) => addIssue({ message, ...(key ? { path: memberPath(value, key) } : {}) }));
  });
}

/** Rejects everything but JSON objects; the library itself would accept lists. */
function onlyObjects<Schema extends AnySchema>(schema: Schema, message: (issue: Issue) => string): Schema {
  const other = v.never(message);
  return {
    ...schema,
    '~run': (dataset, config) => (isRecord(dataset.value) ? schema : other)['~run'](dataset, config),
  };
}

function rejected(message: string, object: object, key: string) {
  const { issues = [] } = v.never(message)['~run']({ value: key }, {});
  return issues.map((issue) => ({ ...issue, path: memberPath(object, key) }));
}

function memberPath(object: object, key: string): [v.ObjectPathItem] {
  const input = object as Record<string, unknown>;
  return [{ type: 'object', origin: 'value', input, key, value: input[key] }];
}

function meant(given: unknown, names: readonly string[]): string {
  const name = typeof given === 'string' ? nearest(given, names) : undefined;
  return name === undefined ? '' : ` (did you mean ${name}?)`;
}
