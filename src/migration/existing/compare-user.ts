import type { AttributeName } from '../../contract/attributes.ts';
import type { HashedUser, User } from '../../contract/wire.ts';

/** What tells whether a user is the person of a row; other fields may have changed since. */
const identity = [
  'user_name',
  'email',
  'mobile',
  'external_id',
  'name',
] as const satisfies readonly AttributeName[];

type Field = (typeof identity)[number];

/** When two values of a field are the same for the service (decisions 16 to 19). */
const sameness: Record<Field, (one: string, other: string) => boolean> = {
  user_name: sameLetters,
  email: sameLetters,
  mobile: sameMobile,
  external_id: (one, other) => one === other,
  name: (one, other) => one === other,
};

/**
 * The fields in which a found user is not the person of the row; a field that the row leaves open is no difference.
 * `byMobile`: the user was found by the mobile number of the row, which says for sure that it is theirs.
 */
export function differences(row: HashedUser, found: User, byMobile: boolean): Field[] {
  return identity.filter((field) => {
    const wanted = row[field];
    if (wanted === undefined || (field === 'mobile' && byMobile)) return false;
    return !sameness[field](wanted, found[field] ?? '');
  });
}

function sameLetters(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Only the tenant knows which area code a number without one has. */
function sameMobile(one: string, other: string): boolean {
  return one.replace(/^\+/, '') === other.replace(/^\+/, '');
}
