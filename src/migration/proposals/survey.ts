import { userIdShape } from '../../contract/wire.ts';
import { SourceError } from '../model/errors.ts';
import { describeSeveral, type PeopleWithin } from '../model/source-record.ts';
import { keepsOwnField } from '../rows/fields/column-options.ts';
import { fieldNamed } from '../rows/fields/fields.ts';
import { looksLikeStatus, nameWords } from '../rows/fields/looks-like-status.ts';
import { mayBePassword, suggestField, wordOf } from '../rows/fields/suggest-field.ts';
import { outerBlank } from '../rows/fields/validate-cell.ts';
import { refuseOwnList } from '../rows/own-lists.ts';
import { type PreparedSource, repeatsHeader } from '../rows/prepared-source.ts';
import { createDateLook } from './date-look.ts';
import { createDigestLook } from './digest-look.ts';
import { completeNames } from './half-names.ts';
import { createHashLook } from './hash-look.ts';
import { createHome } from './home.ts';
import { createStatusLook, isMarker, mostLooked, time } from './status-look.ts';

/** What the values of a column look like, without any value that must not be shown. */
export interface ColumnSurvey extends ReturnType<ReturnType<typeof lookAt>['survey']> {
  /** True if it is in the object with the facts of the person, or in none. */
  isOfPerson: boolean;
}

/** What the columns of a file look like. */
export interface Survey {
  columns: ColumnSurvey[];
  /** Texts in the file that stand for "no value". */
  empty: string[];
  peopleWithin?: PeopleWithin | undefined;
}

const mostSamples = 3;
const mostMasks = 100;

const email = /^[^@\s]+@[^@\s][^@\s.]*\.[^@\s]+$/;
const telephone = /^[+(]?\d[\d ()./-]{5,22}$/;
/** Flags, such as that of Spring Security, of people who may log in but must change the password first. */
const expiredPassword = /^(?:credentials?|password|pwd)_?(?:non_?)?expired$/i;
/** Fields whose values are a few words. */
const wordFields: ReadonlySet<string | undefined> = new Set(['attr_gender', 'algorithm', 'pwd_must_modify']);
/** What people log in with: a word, and no id that a program made. */
const login = /^(?![\da-f](?:-?[\da-f]){3,}-?$)[\p{L}\p{N}._@\\+$-]{2,64}$/iu;

/**
 * Throws a `SourceError` if the file is a list of a job, or, unless the columns are given (`map`), if the first line of a CSV file is a
 * row, or a record of a JSON file several people. Except in CSV, names may look like values: an annotation of OData like an e-mail
 * address.
 */
export function requireNames(source: Omit<PreparedSource, 'readRows'>, map: readonly unknown[]): void {
  const { file, format, header, peopleWithin } = source;
  refuseOwnList(source, true);
  if (peopleWithin?.areSeveral && map.length === 0)
    throw new SourceError(
      file,
      `${describeSeveral(peopleWithin)}. If each record is one person, name the columns with --map FIELD=PATH`,
    );
  const hasField = header.cells.some((name) => fieldNamed(name) !== undefined);
  const isValue = (name: string) => mayBeHash(name) || (!hasField && isContact(name));
  if (format !== 'csv' || !header.cells.some(isValue)) return;
  throw new SourceError(
    file,
    'the first line looks like a row, not like names of columns; name the columns with --header NAME,NAME,…',
    header.line,
  );
}

/** Reads every row of a file once. `map`: the columns whose field is given, and does not follow from their names. */
export async function surveyColumns(
  source: Pick<PreparedSource, 'file' | 'format' | 'header' | 'peopleWithin' | 'readRows'>,
  map: readonly { field: string; column: string }[],
  signal?: AbortSignal,
): Promise<Survey> {
  const { cells: header } = source.header;
  const empty = new Set<string>();
  // A column that is the user name and something else is looked at as the latter.
  const given = new Map(
    map
      .map(({ field, column }) => [column, canonicalField(field)] as const)
      .sort(([, one], [, other]) => Number(other === 'user_name') - Number(one === 'user_name')),
  );
  const looks = header.map((name, index) => {
    const isNamed = name !== '' && header.indexOf(name) === index;
    const facts = { name, index, word: wordOf(source, name) };
    return { isNamed, ...lookAt(facts, empty, given.get(name)) };
  });
  const digests = createDigestLook(header);
  for await (const records of source.readRows()) {
    signal?.throwIfAborted();
    for (const { cells } of records) {
      if (cells.length !== header.length || repeatsHeader(cells, header)) continue;
      digests.add(cells);
      for (const [index, cell] of cells.entries()) looks[index]?.add(cell);
    }
  }
  const columns = looks.filter(({ isNamed }) => isNamed).map(({ survey }) => survey(digests));
  const isOfPerson = createHome(columns, [...given].find(([, field]) => field === 'hash')?.[0]);
  return {
    columns: completeNames(columns.map((column) => ({ ...column, isOfPerson: isOfPerson(column) }))),
    empty: [...empty].sort(),
    peopleWithin: source.peopleWithin,
  };
}

/** Returns one name for all spellings of a field; `hash` for the value of the password. */
export function canonicalField(field: string | undefined): string | undefined {
  const target = field === undefined ? undefined : (fieldNamed(field)?.target ?? field);
  return target === 'value' ? 'hash' : target;
}

/** True for an e-mail address or a long number, which hardly any header has as names. */
function isContact(name: string): boolean {
  return email.test(name) || /^\+?\d{5,}$/.test(name);
}

/** True for what may be a hash: no header has one as a name. */
function mayBeHash(name: string): boolean {
  // A long word of letters alone can have the form of a digest in base64.
  return /[^\p{L}_]/u.test(name) && createHashLook().isHash(name);
}

interface ColumnName {
  name: string;
  /** Index in the header, from 0. */
  index: number;
  /** The part of the name that says what the column is. */
  word: string;
}

/** Starts the survey of a column. Its name says what it is, unless its field is `given`. */
function lookAt({ name, index, word }: ColumnName, empty: Set<string>, given: string | undefined) {
  const suggested = expiredPassword.test(nameWords(word)) ? 'pwd_must_modify' : suggestField(word);
  const own = canonicalField(fieldNamed(name) ? name : suggested);
  const field = given === undefined || keepsOwnField(given, own) ? own : given;
  const isNamedStatus = given === undefined && looksLikeStatus(name);
  const hasWords = isNamedStatus || wordFields.has(field);
  const values = createStatusLook();
  const masks = new Map<string, number>();
  const distinct = new Set<string>();
  const hashes = createHashLook();
  const dates = createDateLook(field === 'attr_birthday');
  const isSecret = field === 'hash' || field === 'key' || mayBePassword(word);
  let [looked, emails, numbers, international, outerBlanks, ownIds] = [0, 0, 0, 0, 0, 0];

  /** The field that the name suggests, unless the values are something else. */
  function byValues({ areEmails, areOwnIds }: { areEmails: boolean; areOwnIds: boolean }) {
    if (areOwnIds && !fieldNamed(name)) return undefined;
    return areEmails && field === 'mailing_address' ? 'email' : field;
  }

  return {
    add(value: string): void {
      // Conditions of a recipe compare a status without the blanks around it.
      const cell = isNamedStatus ? value.trim() : value;
      values.add(cell);
      if (isMarker(cell)) empty.add(cell);
      if (isMarker(cell) || cell === '') return;
      if (outerBlank.test(cell)) outerBlanks += 1;
      if (field === 'attr_birthday' || isNamedStatus || (field === undefined && dates.mayBeDates()))
        dates.add(cell);
      if (looked < mostLooked) {
        looked += 1;
        // As spreadsheets protect a number: ="+48600100200".
        const text = cell.trim().replace(/^="(.*)"$/s, '$1');
        distinct.add(text.toLowerCase());
        if (email.test(text)) emails += 1;
        if (userIdShape.test(text)) ownIds += 1;
        if (telephone.test(text)) {
          numbers += 1;
          if (/^\(?\+/.test(text)) international += 1;
        }
        const masked = mask(cell);
        if (masks.has(masked) || masks.size < mostMasks) masks.set(masked, (masks.get(masked) ?? 0) + 1);
        hashes.add(cell);
      } else if (isSecret || hashes.found() * 2 > mostLooked) hashes.add(cell);
    },
    survey(digests: ReturnType<typeof createDigestLook>) {
      const isHashed = isSecret || hashes.areMost();
      const names = [...distinct].filter((text) => login.test(text) && !time.test(text));
      const areOwnIds = ownIds > 0.9 * looked;
      const byNumber = [...masks].sort(([, one], [, other]) => other - one).map(([text]) => text);
      return {
        name,
        /** The part of the name that says what the column is. */
        word,
        /** Index in the header, from 0. */
        index,
        /** The field that the mapping gives it, or that its name and e-mail addresses suggest. */
        field: given === undefined ? byValues({ areEmails: emails > 0.9 * looked, areOwnIds }) : field,
        isStatus: isNamedStatus,
        /** True if its values may say who may not log in, whatever it is called. */
        maySay: given === undefined && !isNamedStatus && !isHashed && !hasWords && values.maySay(name, word),
        /** True if its name says that it may hold passwords themselves. */
        mayBePassword: mayBePassword(word),
        ...values.counts(),
        /** Masked values, the most frequent ones first. For a password, not even the length is shown. */
        samples: (isHashed ? hashes.described() : byNumber).slice(0, mostSamples),
        /** Distinct values with their row counts, if the column holds only a few words; otherwise `undefined`. */
        values: hasWords || (!isHashed && values.areShared()) ? values.words() : undefined,
        hasOuterBlanks: outerBlanks > 0,
        /** Of the first rows with a value (`looked`): how many have an e-mail address, or what may be a telephone number. */
        ...{ emails, numbers, looked },
        /** True if these begin with the code of their country. */
        areInternational: numbers > 0 && international === numbers,
        /** True if these are IDs that a tenant gave: a new user gets another. */
        areOwnIds,
        /** True if nearly each of these is a word that nobody else has, with which people may log in. */
        areNames: looked > 0 && names.length >= 0.9 * looked,
        areDifferent: looked > 0 && distinct.size === looked,
        hashes,
        /** Its values that others can compute, such as the MD5 of the e-mail address. */
        digests: digests.digestsOf(index),
        dates,
      };
    },
  };
}

const longestMask = 20;

/** Scripts in which a last name comes first, mostly without a blank after it. */
const lastNameFirst = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Masks a value: letters become a or A, those of East Asia 文, digits 9; other ASCII characters stay, and others become ·. */
function mask(value: string): string {
  // A character may be two UTF-16 units; a long text is not split as a whole.
  const start = [...value.slice(0, 2 * longestMask)].slice(0, longestMask).join('');
  const masked = start
    .replaceAll(lastNameFirst, '文')
    .replaceAll(/\p{Lu}/gu, 'A')
    .replaceAll(/(?![A文])[\p{L}\p{M}]/gu, 'a')
    .replaceAll(/\p{N}/gu, '9')
    .replaceAll(/[^文 -~]/gu, '·');
  return start.length < value.length ? `${masked}…` : masked;
}
