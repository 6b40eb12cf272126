import { isObject, type JsonValue } from './flatten.ts';

type JsonObject = { [name: string]: JsonValue };
type Counts = readonly [names: number, secrets: number];

interface People {
  /** The filter of jq by which they become records themselves. */
  filter: string;
  items: JsonObject | readonly JsonValue[];
  /** True if there is hardly a known name around them. */
  areAlone: boolean;
}

/** Records that are looked at: enough to tell people in a record from the contacts that a few people have. */
const mostLooked = 100;
/** Levels of lists and objects in which people are looked for. */
const deepest = 4;
/** Members of an object become records that keep their names. */
const byName = 'to_entries[] | {record: .key} + (.value | objects)';
/** Fields by which a person differs from a role, a fact or a child. */
const passwords: ReadonlySet<string> = new Set(['hash']);
const ownFields: ReadonlySet<string> = new Set(['user_name', 'email', 'mobile', ...passwords]);
/** True for a hash that names its scheme, whatever its name is. */
const isHash = (value: JsonValue) => typeof value === 'string' && /^\$[\w-]{1,20}\$/.test(value);
const plain = /^[a-z_]\w{0,63}$/i;

/**
 * Creates an empty look at the records of a file: whether they hold several people each, in a list such as `rows`, or by their names
 * as in `{"ann": {…}, "bob": {…}}`. `fieldOf` returns the field of a known name of a column.
 */
export function createPeopleLook(fieldOf: (name: string) => string | undefined) {
  const found = new Map<string, { records: number; people: number; keys: Set<string>; areAlone: boolean }>();
  const known = new Map<string, string>();
  let looked = 0;

  /** The field of a name; empty if it is not known. */
  function knownField(name: string): string {
    const before = known.get(name) ?? fieldOf(name) ?? '';
    known.set(name, before);
    return before;
  }
  const isKnown = (name: string) => knownField(name) !== '';
  // A `value` is that of any fact.
  const isOf = (fields: ReadonlySet<string>, name: string) =>
    fields.has(knownField(name)) && !/^value$/i.test(name);

  /** The sum of what the names in an object and in the objects within it count, down to some level. */
  const sumOf = (
    object: JsonObject,
    count: (name: string, value: JsonValue) => number,
    levels = deepest,
  ): number =>
    Object.entries(object).reduce((sum, [name, value]) => {
      const inner = isObject(value) && levels > 1 ? sumOf(value, count, levels - 1) : 0;
      return sum + count(name, value) + inner;
    }, 0);
  const isSecret = (name: string, value: JsonValue) => isOf(passwords, name) || isHash(value);
  const secretsIn = (object: JsonObject, levels = deepest) =>
    sumOf(object, (name, value) => Number(isSecret(name, value)), levels);
  /** What is around a value: how many known names, of which one of a person's own counts twice, and how many passwords. */
  const countsIn = (object: JsonObject): Counts => [
    sumOf(object, (name, value) => (isOf(ownFields, name) || isHash(value) ? 2 : Number(isKnown(name))), 2),
    secretsIn(object, 2),
  ];
  /** True for an object with so many known names, of which one is that of an identifier or a hash: a role has a name, too. */
  const isPerson = (item: JsonValue, least: number) =>
    isObject(item) &&
    sumOf(item, (name) => Number(isKnown(name))) >= least &&
    sumOf(item, (name) => Number(isOf(ownFields, name))) > 0;

  /** Finds people: who has the passwords, or around whom there is hardly a known name. `outside`: what is around the value. */
  function* peopleIn(value: JsonObject, path: readonly string[], outside: Counts): Generator<People> {
    // What is deeper may be of other people.
    const inside = countsIn(value);
    const around = (part: JsonObject): Counts => {
      const [names, secrets] = countsIn(part);
      return [outside[0] + inside[0] - names, outside[1] + inside[1] - secrets];
    };
    // One name alone may be that of a person's address, but for a list in a list.
    const least = path.includes('[]') ? 1 : 2;
    const areAlone = ([names]: Counts) => names < 2;
    const arePeople = (items: readonly JsonValue[], counts: Counts) =>
      items.length > 0 &&
      items.every((item) => isPerson(item, least)) &&
      (areAlone(counts) || (counts[1] === 0 && items.every((item) => isObject(item) && secretsIn(item) > 0)));
    const members = Object.fromEntries(Object.entries(value).filter(([, member]) => isObject(member)));
    const areNamed = Object.values(members).every(
      (member) => isObject(member) && Object.keys(member).some(isKnown),
    );
    const outer = around(members);
    if (areNamed && arePeople(Object.values(members), outer)) {
      yield { filter: `${path.join('')} | ${byName}`, items: members, areAlone: areAlone(outer) };
      return;
    }
    if (path.length === deepest) return;
    for (const [name, member] of Object.entries(value)) {
      const inner = [...path, plain.test(name) ? `.${name}` : '.value'];
      const others = around({ [name]: member });
      if (isObject(member)) yield* peopleIn(member, inner, others);
      if (!Array.isArray(member)) continue;
      const items = [...inner, '[]'];
      if (arePeople(member, others))
        yield { filter: items.join(''), items: member, areAlone: areAlone(others) };
      else for (const item of member) if (isObject(item)) yield* peopleIn(item, items, others);
    }
  }

  return {
    add(record: JsonValue): void {
      if (looked === mostLooked || !isObject(record)) return;
      looked += 1;
      const filters = new Set<string>();
      for (const { filter, items, areAlone } of peopleIn(record, [], [0, 0])) {
        const before = found.get(filter) ?? { records: 0, people: 0, keys: new Set(), areAlone };
        if (!filters.has(filter)) before.records += 1;
        filters.add(filter);
        before.people += Object.keys(items).length;
        if (!Array.isArray(items)) for (const key of Object.keys(items)) before.keys.add(key);
        found.set(filter, before);
      }
    },
    /**
     * Returns the filter of jq that makes records of people: of those in most records, if they are several, or of whoever is alone in
     * the only record.
     */
    find(): { filter: string; areSeveral: boolean } | undefined {
      const several = [...found].flatMap(([filter, { records, people, keys }]) => {
        // The parts of one person, such as two addresses, have the same names in each record.
        const isLikely = keys.size > 0 ? keys.size === people && people > 1 : people > records;
        return isLikely && 2 * records > looked ? [filter] : [];
      });
      const areSeveral = several.length > 0;
      const alone = [...found].flatMap(([filter, { areAlone }]) => (areAlone ? [filter] : []));
      const filter = shownFilter(areSeveral || looked > 1 ? several : alone);
      return filter === undefined ? undefined : { filter, areSeveral };
    },
  };
}

/** Of several filters, one of users or of a list: names in the others may be those of people. */
function shownFilter(filters: readonly string[]): string | undefined {
  if (filters.length < 2) return filters[0];
  const shown = [/^\.\w*users\b/i, /^\.\w+\[\]$/].map((form) => filters.find((one) => form.test(one)));
  return shown.find((filter) => filter !== undefined) ?? '.value[]';
}
