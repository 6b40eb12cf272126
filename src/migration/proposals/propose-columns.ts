import { attributeNames } from '../../contract/attributes.ts';
import { keepsOwnField, mapOption } from '../rows/fields/column-options.ts';
import { fieldNamed } from '../rows/fields/fields.ts';
import { nameWords } from '../rows/fields/looks-like-status.ts';
import { isPasswordName, isPersonNumber } from '../rows/fields/suggest-field.ts';
import { looksLikeSalt } from '../rows/ignored-columns.ts';
import { isHalfName } from './half-names.ts';
import { type Interview, later } from './interview.ts';
import { namesAlgorithm } from './propose-password.ts';
import { maySayMustChange } from './status-look.ts';
import { type ColumnSurvey, canonicalField, type Survey } from './survey.ts';

/** The column of each field, by the name of the field. */
export type ColumnsByField = ReadonlyMap<string, ColumnSurvey>;

/** Names of internal ids of an old system, which are the least likely to be what people log in with. */
const idName = /^(?:id|u_?id|user_?id|account_?id|guid|(?:user_?)?uuid|oid|object_?id|sub)$/i;
const hasIdName = ({ name, areOwnIds }: ColumnSurvey) => idName.test(nameWords(name)) && !areOwnIds;

/** Names of columns whose values look like those of a field, and are something else: ids, tokens, addresses of other people. */
const otherName =
  /(?:uu|gu)id|fax|token|session|salt|nonce|checksum|etag|finger|avatar|cookie|csrf|(?:api|access|activation|secret|private|public)_?key|manager|supervisor|boss|parent|guardian|emergency|backup|recovery|second|alternat|former|previous|old|creat|updat|modif|referr|invit|notif|billing|company/i;

/** Names of columns with hashes of other secrets, or that change a password, such as `password_reset_hash`. */
const otherSecret =
  /verif|confirm|activat|reset|question|answer|hint|histor|(?:^|_)(?:pin|otp|mfa)(?:_|$)|pay|支付|交易/i;

/** Names of columns with algorithms and their parameters, such as `pbkdf2$50000$50`. */
const algorithmName = /(?:algo(?:rithm)?|scheme|method|hasher|encoder)$/i;

/** Fields whose columns can serve as the user name if no column is one. */
const mayNameUser: readonly (string | undefined)[] = ['email', 'mobile', 'external_id'];

/** What must be true of a column for such a field, and cannot be seen in a file. */
const conditions: Readonly<Record<string, string>> = {
  external_id: 'if other systems know people by it (it cannot be set later)',
  'extension.': 'if your tenant has this attribute',
  hash: 'if one holds the hashes of passwords',
  name: 'if one is the whole name',
  pwd_must_modify: 'if it says who must change the password',
};

/** Most candidates that are named in a message. */
const mostNamed = 6;

/** Finds the column of each field: by the given mapping, by names, then by values. Asks if a field has several candidates. */
export function proposeColumns(
  { columns }: Survey,
  map: readonly { field: string; column: string }[],
  interview: Interview,
): ColumnsByField {
  const found = new Map<string, ColumnSurvey>();
  const used = new Set<ColumnSurvey>();
  const take = (field: string, column: ColumnSurvey | undefined) => {
    if (!column) return;
    found.set(field, column);
    if (!keepsOwnField(field, column.field)) used.add(column);
  };
  for (const { field, column } of map)
    take(
      canonicalField(field) ?? field,
      columns.find(({ name }) => name === column),
    );
  const candidates = candidatesOf(columns.filter((column) => !used.has(column) && column.filled > 0));
  const named = candidates.get('user_name') ?? [];
  const areIds = named.every(isId);
  // Which hashes there are says whether the names of algorithms matter.
  for (const [field, list] of [...candidates].sort(([one]) => (one === 'hash' ? -1 : 0))) {
    const isShown =
      field === 'algorithm' && !list.some((column) => namesAlgorithm(found.get('hash'), column));
    if (!isShown && !found.has(field) && !(field === 'user_name' && areIds))
      take(field, chosen(field, list, columns, interview));
  }
  const isNamed = () => ['user_name', 'email', 'mobile'].some((field) => found.has(field));
  if (!found.has('user_name') && areIds) {
    const likely = columns.filter(
      (column) =>
        column.filled > 0 &&
        (named.includes(column) || mayNameUser.includes(column.field) || mayLogIn(column)),
    );
    const isOptional = isNamed() && !likely.some(mayLogIn);
    if (likely.length > 0) take('user_name', chosen('user_name', likely, columns, interview, isOptional));
  }
  if (!isNamed() && !interview.unanswered.some(({ id }) => id === 'user_name'))
    interview.leaveOpen(
      `nobody would have a user name, an e-mail address or a mobile number to log in with: ${interview.mapBy} --map FIELD=COLUMN for one of user_name, email and mobile`,
    );
  if (!found.has('external_id') && !candidates.has('external_id') && isNamed()) {
    const unread = columns.filter((column) => !used.has(column) && column.filled > 0);
    const ids = unread.filter(hasIdName);
    const likely = unread.filter(mayBeNumber);
    if (ids.length === 1 && likely.every(hasIdName)) take('external_id', ids[0]);
    else if (likely.length > 0) {
      const either = unread.filter(
        (column) => likely.includes(column) || (ids.length === 1 && ids.includes(column)),
      );
      take('external_id', chosen('external_id', either, columns, interview));
    }
  }
  for (const column of columns)
    if (column.areOwnIds && !used.has(column))
      interview.note(
        `${column.name} holds IDs that a tenant gave, and is not used: new users get others; to keep these, ${interview.mapBy} ${mapOption('external_id', column.name)}`,
      );
  return new Map([...found].sort(([one], [other]) => rank(one) - rank(other)));
}

/** True for a column of numbers of rows in a database, which are the least likely to be what people log in with. */
function isId(column: ColumnSurvey): boolean {
  return hasIdName(column) && !(column.areNames && hasLetters(column));
}

const hasLetters = ({ samples }: ColumnSurvey) => samples.some((mask) => /[aA文]/.test(mask));

/** True for a column that is nothing else, and whose values people may log in with. */
function mayLogIn({ name, field, filled, blank, areNames, hashes, ...column }: ColumnSurvey): boolean {
  const isOther = column.isStatus || column.mayBePassword || hashes.areMost() || otherName.test(name);
  return field === undefined && !isOther && filled > blank && areNames;
}

/** True for a column that is called a number of people, and has another in every row. */
function mayBeNumber(column: ColumnSurvey): boolean {
  const { word, field, blank, samples, areDifferent, areOwnIds, isOfPerson, hashes } = column;
  const isNamed = isOfPerson && (hasIdName(column) || (field === undefined && isPersonNumber(word)));
  const areNumbers = !areOwnIds && !hashes.areMost() && samples.every((mask) => mask.includes('9'));
  return isNamed && areDifferent && blank === 0 && areNumbers;
}

/** Position of a field in a recipe: attributes in their usual order, then the others. */
function rank(field: string): number {
  const at = (attributeNames as readonly string[]).indexOf(field);
  return at === -1 ? attributeNames.length : at;
}

function candidatesOf(columns: readonly ColumnSurvey[]): Map<string, ColumnSurvey[]> {
  const candidates = new Map<string, ColumnSurvey[]>();
  const add = (field: string, column: ColumnSurvey) =>
    candidates.set(field, [...(candidates.get(field) ?? []), column]);
  for (const column of columns) {
    const { field } = column;
    // Passwords themselves, and names of algorithms, are never read as hashes, whatever the name of their column.
    if (field === 'hash' || column.mayBePassword || field === undefined) {
      if (areHashes(column)) add('hash', column);
    } else if (isExact(column)) candidates.set(field, [column]);
    else if (!candidates.get(field)?.some(isExact)) add(field, column);
  }
  const others = columns.filter(({ field, mayBePassword }) => field === undefined && !mayBePassword);
  // Other systems know people by a number of theirs, rather than by that of a row in a database.
  if (candidates.get('external_id')?.every(hasIdName))
    for (const column of others) if (mayBeNumber(column)) add('external_id', column);
  for (const [field, isSuch] of byValue) {
    const isNamed = candidates.has(field);
    for (const column of others) if (!isNamed && isSuch(column)) add(field, column);
  }
  return candidates;
}

/** A part of names of columns of telephone numbers, which need no country code there. */
const mobileName = /phone|tel[eé]f|mobil|handy|cell|手机|手機|电话|電話|携帯/i;

/** Fields that may be recognized by their values, if no column has a name for them: these may be of other people. */
const byValue: readonly [field: string, isSuch: (column: ColumnSurvey) => boolean][] = [
  ['email', ({ emails, looked }) => emails > 0.9 * looked],
  [
    'mobile',
    ({ name, numbers, looked, areInternational }) =>
      !/fax/i.test(name) && numbers > 0.9 * looked && (areInternational || mobileName.test(name)),
  ],
  ['name', isHalfName],
  ['pwd_must_modify', ({ name, values }) => maySayMustChange(name, values)],
];

/** True for a column with the field's own name, about which nothing needs to be asked. */
function isExact({ name, field, isOfPerson }: ColumnSurvey): boolean {
  return isOfPerson && fieldNamed(name) !== undefined && canonicalField(name) === field;
}

function areHashes({ name, hashes, digests }: ColumnSurvey): boolean {
  const isOther = looksLikeSalt(name) || algorithmName.test(name) || digests?.areMost;
  return !isOther && hashes.areMost();
}

/** True if nothing needs to be asked about a column that is the only likely candidate for a field. */
function isCertain(field: string, column: ColumnSurvey, columns: readonly ColumnSurvey[]): boolean {
  if (field === 'hash')
    return isOwn(column) && (isPasswordName(column.word) || !columns.some(isNamedPassword));
  // Only a column with its exact name shows that the tenant has an extension attribute.
  if (field.startsWith('extension.')) return isExact(column);
  // The name account does not say whether its values are names or numbers.
  const mayBeId = hasIdName(column) || (/^account$/i.test(column.name) && !hasLetters(column));
  return column.field === field && !(field === 'user_name' && mayBeId);
}

const isNamedPassword = ({ word, filled }: ColumnSurvey) => filled > 0 && isPasswordName(word);

/** True if a column is called like the hashes of passwords of the people themselves. */
function isOwn(column: ColumnSurvey): boolean {
  return (column.field === 'hash' || isPasswordName(column.word)) && column.isOfPerson;
}

/** True for what is called so, or is a hash that no digest looks like, and is not called like another secret. */
function isLikelyHash(column: ColumnSurvey): boolean {
  const { name, hashes } = column;
  return isOwn(column) || (hashes.areSecrets() && !otherName.test(name) && !otherSecret.test(name));
}

function chosen(
  field: string,
  candidates: readonly ColumnSurvey[],
  columns: readonly ColumnSurvey[],
  interview: Interview,
  // Whether a tenant has an extension attribute, the file does not show, nor whether a name is the whole.
  isOptional = field.startsWith('extension.') || candidates.every(isHalfName),
): ColumnSurvey | undefined {
  // Digests of something else do not make a hash of a password less certain, nor ids a user name, nor what others have one's own.
  const likely = candidates.filter((column) =>
    field === 'hash' ? isLikelyHash(column) : column.isOfPerson && !(field === 'user_name' && isId(column)),
  );
  const [only] = likely;
  if (only && likely.length === 1 && isCertain(field, only, columns)) return only;
  // Names that people log in with come before ids of a database.
  const place = (column: ColumnSurvey) => Number(hasIdName(column)) + Number(!likely.includes(column));
  const sorted = candidates.toSorted((one, other) => place(one) - place(other));
  const names = sorted.map(({ name }) => name);
  const shown = [...names.slice(0, mostNamed), ...(names.length > mostNamed ? ['another'] : [])];
  const condition = Object.entries(conditions).find(([start]) => field.startsWith(start))?.[1] ?? '';
  const [answer] = interview.ask({
    id: field,
    message: `Which column is ${field}${condition && `, ${condition}`}?`,
    choices: [
      later,
      ...sorted.map(({ name, samples }) => ({ value: name, name: `${name}  (${samples.join(', ')})` })),
      { value: ' ', name: 'none of them' },
    ],
    isOptional,
    open: `${field} may be ${shown.join(' or ')}: ${condition && `${condition}, `}${interview.mapBy} ${mapOption(field, names.length === 1 ? names.join() : 'COLUMN')}`,
  });
  return candidates.find(({ name }) => name === answer);
}
