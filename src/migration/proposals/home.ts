import { ownNames } from '../rows/fields/looks-like-status.ts';
import { isPasswordName } from '../rows/fields/suggest-field.ts';

/** Names of objects and lists that do not say whose their values are, by the fields that may be in them. */
const plainObjects: readonly (readonly [fields: RegExp, names: RegExp])[] = [
  [
    /^(?:hash|algorithm|key|pwd_must_modify)$/,
    /^(?:credentials?|passwords?|hash-pwd|services|config|local|auth|\d+)$/i,
  ],
  [
    /^(?:user_name|email|mobile)$/,
    /^(?:e?mails?|email_?addresses|phones?|phone_?numbers?|identifiers|local|\d+)$/i,
  ],
  // An address may have a name and a number of its own.
  [/^(?:mailing_address|zip_code)$/, /^(?:address(?:es)?|\d+)$/i],
  [/^/, /^(?:names?|local|\d+)$/i],
];
/** Fields that may be of a record around the person. */
const ofRecord = /^(?:external_id|extension\..*)$/;
const namesOfPeople: readonly (string | undefined)[] = ['user_name', 'email', 'mobile'];

interface Placed {
  name: string;
  /** The part of the name that says what the column is. */
  word: string;
  field: string | undefined;
  filled: number;
}

/** The object of JSON that has a value, as a path; empty for a column of other files. */
function objectOf({ name, word, field }: Placed): string {
  const parts = name === word ? [] : ownNames(name).slice(0, -1);
  const kind = isPasswordName(word) ? 'hash' : (field ?? '');
  const plain = plainObjects.find(([fields]) => fields.test(kind))?.[1];
  return parts.filter((part) => !plain?.test(part)).join('.');
}

/**
 * Returns whether a column is surely of the person: in the object with the password and a name to log in with, around which may be
 * the name of a firm, else in the outermost object with known fields. What people log in with outside this object may be that of the
 * person, and the password that of a relay or a guardian. `hash`: the column that is given as that of the password.
 */
export function createHome(
  columns: readonly Placed[],
  hash: string | undefined,
): (column: Placed) => boolean {
  const objectsOf = (isSuch: (column: Placed) => boolean) =>
    new Set(columns.filter((column) => column.filled > 0 && isSuch(column)).map(objectOf));
  const passwords = objectsOf(({ name, word }) =>
    hash === undefined ? isPasswordName(word) : name === hash,
  );
  const names = objectsOf(({ field }) => namesOfPeople.includes(field));
  const fields = objectsOf(({ field }) => field !== undefined && !ofRecord.test(field));
  const own = [...passwords].filter((object) => names.has(object));
  const objects = own.length > 0 ? own : [...(hash === undefined ? passwords : []), ...fields];
  const [home = ''] = objects.toSorted((one, other) => one.length - other.length);
  const isHome = [...objects, ...names].every((object) => `${object}.`.startsWith(home && `${home}.`));
  return (column) => {
    const object = objectOf(column);
    return isHome && (object === home || (object === '' && ofRecord.test(column.field ?? '')));
  };
}
