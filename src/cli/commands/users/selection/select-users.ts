import { InvalidArgumentError } from '@commander-js/extra-typings';
import { type AttributeName, attributes, userFields } from '../../../../contract/attributes.ts';
import { defaultAreaCode, foldCase, normalForm } from '../../../../contract/normal-forms.ts';
import type { User } from '../../../../contract/wire.ts';
import { cellOf } from '../../../output/formats/cell.ts';
import { refuseUnknown } from '../../../output/show.ts';

/** Returns true for a user who is selected. */
export type UserFilter = (user: User) => boolean;

/** The requested order. Users without a value come last. */
export type Order = ReturnType<typeof parseOrder>;

/** Fields that `--search` looks through: all that identify a person. */
const searched = [
  'user_name',
  'name',
  'first_name',
  'middle_name',
  'last_name',
  'attr_nick_name',
  'email',
  'mobile',
  'external_id',
  'user_id',
] as const;

/** Option parser: `--search TEXT`, in any letter case. */
export function parseSearch(text: string): UserFilter {
  if (text.trim() === '') throw new InvalidArgumentError('must not be empty: is a shell variable unset?');
  const wanted = foldCase(text);
  return (user) =>
    searched.some((field) => {
      const value = user[field];
      return value !== undefined && foldCase(value).includes(wanted);
    });
}

/** Comparisons of a value with the wanted one, by operator. */
const comparisons: Record<string, (field: string, wanted: string) => (value: string) => boolean> = {
  '=': isEqualTo,
  '!=': (field, wanted) => {
    const isEqual = isEqualTo(field, wanted);
    return (value) => !isEqual(value);
  },
  '~': (_field, wanted) => {
    const folded = foldCase(wanted);
    return (value) => foldCase(value).includes(folded);
  },
};

/** Compares values as the tenant does, so that an e-mail address is found in any letter case. */
function isEqualTo(field: string, wanted: string): (value: string) => boolean {
  const isAttribute = Object.hasOwn(attributes, field);
  const formOf = (value: string) =>
    isAttribute ? normalForm(field as AttributeName, value, defaultAreaCode) : value;
  const form = formOf(wanted);
  return (value) => value === wanted || formOf(value) === form;
}

/** Option parser: a repeatable `--where FIELD=VALUE`, `FIELD!=VALUE` or `FIELD~TEXT`; an absent value is empty. */
export function parseCondition(text: string, before?: readonly UserFilter[]): UserFilter[] {
  const [, field = '', operator = '', wanted = ''] = /^([^=!~]+)(!=|=|~)(.*)$/s.exec(text) ?? [];
  const comparison = comparisons[operator];
  if (!comparison) throw new InvalidArgumentError('must be FIELD=VALUE, FIELD!=VALUE or FIELD~TEXT');
  refuseUnknownField(field);
  if (field === 'disabled' && !/^(?:true|false)$/.test(wanted)) {
    throw new InvalidArgumentError('must be true or false for disabled');
  }
  const isMet = comparison(field, wanted);
  return [...(before ?? []), (user) => isMet(cellOf(user, field))];
}

/** Option parser: `--sort FIELD`, or `-FIELD` for the reverse. */
export function parseOrder(text: string) {
  const isDescending = text.startsWith('-');
  const field = isDescending ? text.slice(1) : text;
  refuseUnknownField(field);
  return { field, isDescending };
}

function refuseUnknownField(field: string): void {
  refuseUnknown([field], userFields, 'field');
  if (field === 'extension') throw new InvalidArgumentError('must name one attribute: extension.KEY');
}

const pageLength = 100;

/** Yields the first users of pages, and reads the others. The first page is yielded even if it is empty. */
export async function* firstOf(pages: AsyncIterable<User[]>, most: number): AsyncGenerator<User[]> {
  let seen = 0;
  for await (const users of pages) {
    if (seen < most) yield users.slice(0, most - seen);
    seen += users.length;
  }
}

/** Reads all users, and then yields them in order. Stores them in a temporary database, so that memory use does not grow. */
export async function sortUsers(pages: AsyncIterable<readonly User[]>, { field, isDescending }: Order) {
  const { openTemporaryDatabase } = await import('../../../../migration/owners/temporary-database.ts');
  const database = await openTemporaryDatabase(
    'CREATE TABLE users (seq INTEGER PRIMARY KEY, key, user TEXT)',
  );
  const insert = database.prepare('INSERT INTO users (key, user) VALUES (?, ?)');
  for await (const users of pages) {
    database.exec('BEGIN');
    for (const user of users) insert.run(keyOf(user, field), JSON.stringify(user));
    database.exec('COMMIT');
  }
  const direction = isDescending ? 'DESC' : 'ASC';
  const sorted = database.prepare(`SELECT user FROM users ORDER BY key IS NULL, key ${direction}, seq`);

  async function* inOrder(): AsyncGenerator<User[]> {
    try {
      let page: User[] = [];
      for (const { user } of sorted.iterate() as Iterable<{ user: string }>) {
        page.push(JSON.parse(user));
        if (page.length < pageLength) continue;
        yield page;
        page = [];
      }
      yield page;
    } finally {
      database.close();
    }
  }

  return inOrder();
}

/** The sort key of a user: the number of logins as a number, texts regardless of letter case. */
function keyOf(user: User, field: string): number | string | null {
  const value = cellOf(user, field);
  if (value === '') return null;
  return field === 'usr_auth_times' ? Number(value) : foldCase(value);
}
