import { type AttributeName, attributeNames } from '../../contract/attributes.ts';
import { parseMobile } from '../../contract/normal-forms.ts';
import { isDay } from '../../contract/time.ts';
import type { User } from '../../contract/wire.ts';
import { openTemporaryDatabase } from '../owners/temporary-database.ts';
import { createValueForm } from './value-form.ts';

/** What the values of an attribute have in common. Holds no values except `words` of an extension attribute. */
export interface AttributeSurvey {
  /** Number of users with a value. */
  filled: number;
  /** Length of the longest value, in characters. */
  longest: number;
}

/** What the values of an extension attribute have in common. */
export type ExtensionSurvey = ReturnType<ReturnType<typeof lookAtExtension>['survey']>;

/** The mobile numbers of one area code; everything here is without the code. */
export interface AreaSurvey {
  numbers: number;
  shortest: number;
  longest: number;
  /** The different first digits, sorted. */
  firstDigits: string;
}

/** What a listing shows of a tenant's rules. */
export type UserSurvey = ReturnType<Awaited<ReturnType<typeof surveyUsers>>['survey']>;

const mostKeys = 500;
/** Limits for values that identify nobody. */
const words = { most: 20, longest: 40, usersEach: 10 } as const;

const types: readonly [type: 'boolean' | 'number' | 'date', accepts: (value: string) => boolean][] = [
  ['boolean', (value) => value === 'true' || value === 'false'],
  ['date', isDay],
  ['number', (value) => /^-?\d+(\.\d+)?$/.test(value)],
];

/**
 * Starts a survey of pages of users. Its memory does not grow with their number: it finds distinct values with a temporary
 * database, of which nothing is left behind.
 */
export async function surveyUsers() {
  const database = await openTemporaryDatabase(
    'CREATE TABLE seen (attribute INTEGER, value TEXT, PRIMARY KEY (attribute, value)) WITHOUT ROWID',
  );
  const insert = database.prepare('INSERT OR IGNORE INTO seen VALUES (?, ?)');
  const looks = Object.fromEntries(attributeNames.map((name) => [name, { filled: 0, longest: 0 }])) as Record<
    AttributeName,
    AttributeSurvey
  >;
  const extension = new Map<string, ReturnType<typeof lookAtExtension>>();
  const further = new Set<string>();
  const areas = new Map<string, AreaSurvey>();
  let [users, oddNumbers] = [0, 0];

  function addExtension(key: string, value: string): void {
    let look = extension.get(key);
    if (!look) {
      if (extension.size === mostKeys) {
        if (further.size < mostKeys) further.add(key);
        return;
      }
      const attribute = extension.size;
      look = lookAtExtension((text) => insert.run(attribute, text).changes === 1);
      extension.set(key, look);
    }
    look.add(value);
  }

  function addMobile(value: string): void {
    const { area = '', number } = parseMobile(value) ?? {};
    if (number === undefined || area.startsWith('0')) {
      oddNumbers += 1;
      return;
    }
    const { length } = number;
    const own = { numbers: 1, shortest: length, longest: length, firstDigits: number.slice(0, 1) };
    areas.set(area, both(areas.get(area), own));
  }

  function addUser(user: User): void {
    users += 1;
    for (const name of attributeNames) {
      const value = user[name];
      if (typeof value === 'string' && value !== '') lengthen(looks[name], value);
    }
    if (user.mobile) addMobile(user.mobile);
    for (const [key, value] of Object.entries(user.extension ?? {})) {
      if (typeof value === 'string' && value !== '') addExtension(key, value);
    }
  }

  return {
    add(page: readonly User[]): void {
      database.exec('BEGIN');
      for (const user of page) addUser(user);
      database.exec('COMMIT');
    },
    survey() {
      const keys = [...extension].sort(([one], [other]) => (one < other ? -1 : 1));
      return {
        users,
        attributes: looks,
        /** By key, in alphabetical order. */
        extension: new Map(keys.map(([key, look]) => [key, look.survey()])),
        /** By area code; `''` for numbers without one. */
        areas: new Map([...areas].sort(([one], [other]) => Number(one) - Number(other))),
        /** Mobile numbers in a form that the API does not describe. */
        oddNumbers,
        /** Extension attributes beyond the largest number that is surveyed. */
        furtherKeys: further.size,
      };
    },
    close: () => database.close(),
  };
}

/** Surveys the values of one key; `isNew` returns true for a value that comes for the first time. */
function lookAtExtension(isNew: (value: string) => boolean) {
  const length = { filled: 0, longest: 0 };
  const form = createValueForm();
  const counts = new Map<string, number>();
  let possible = types;
  let isDistinct = true;
  let hasFew = true;
  return {
    add(value: string): void {
      lengthen(length, value);
      form.add(value);
      possible = possible.filter(([, accepts]) => accepts(value));
      isDistinct &&= isNew(value);
      if (!hasFew) return;
      counts.set(value, (counts.get(value) ?? 0) + 1);
      if (counts.size <= words.most && value.length <= words.longest) return;
      hasFew = false;
      counts.clear();
    },
    survey() {
      const isShared = [...counts.values()].every((number) => number >= words.usersEach);
      return {
        ...length,
        /** The narrowest type that accepts every value. */
        type: possible[0]?.[0] ?? ('text' as const),
        /** True if no two users share a value. */
        isDistinct,
        pattern: form.pattern(),
        /** Distinct values, if there are few, each of many users, so that they identify nobody. */
        words: hasFew && isShared ? [...counts.keys()].sort() : undefined,
      };
    },
  };
}

/** Adds a value. Its length is counted in characters, as in the rules. */
function lengthen(survey: AttributeSurvey, value: string): void {
  survey.filled += 1;
  if (value.length > survey.longest) survey.longest = Math.max(survey.longest, [...value].length);
}

/** Joins what is known about two parts of the numbers of an area. */
export function both(one: AreaSurvey | undefined, other: AreaSurvey): AreaSurvey {
  if (!one) return other;
  return {
    numbers: one.numbers + other.numbers,
    shortest: Math.min(one.shortest, other.shortest),
    longest: Math.max(one.longest, other.longest),
    firstDigits: [...new Set(one.firstDigits + other.firstDigits)].sort().join(''),
  };
}
