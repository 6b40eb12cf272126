import { attributeNames } from '../../contract/attributes.ts';
import { keepsOwnField } from '../rows/column-options.ts';
import { fieldNamed } from '../rows/fields.ts';
import { looksLikeSalt } from '../rows/ignored-columns.ts';
import { nameWords } from '../rows/looks-like-status.ts';
import { hasPasswordWord } from '../rows/suggest-field.ts';
import type { Interview } from './interview.ts';
import { type ColumnSurvey, canonicalField, type Survey } from './survey.ts';

/** The column of each field, by the name of the field. */
export type ColumnsByField = ReadonlyMap<string, ColumnSurvey>;

/** Names of internal ids of an old system, which are the least likely to be what people log in with. */
const idName = /^(?:id|uid|user_?id|account_?id|guid|uuid|oid)$/i;

/** Names of columns whose values look like those of a field, and are something else: ids, tokens, addresses of other people. */
const otherName =
  /(?:uu|gu)id|token|session|salt|nonce|checksum|etag|finger|avatar|cookie|csrf|(?:api|access|activation|secret|private|public)_?key|manager|supervisor|boss|parent|guardian|emergency|backup|recovery|second|alternat|former|previous|old|creat|updat|modif|referr|invit|notif|billing|company/i;

/** Names of columns with addresses and numbers of other people. */
const otherContact = /assign|agent|owner|office|fax|advis|mentor|tutor|betreu|vorgesetz/i;

/** What is before `pass` in the name of a column with hashes: a `pass` may also be that of a season. */
const beforePass = 'user|login|account|member|customer|crypt(ed)?|enc(rypted)?|hash(ed)?|md5|db';

/** Names of columns with the hashes of passwords, besides those with a word for a password. */
const passwordNames = [
  '(.*_)?(pw|psw|mdp)(_.*)?',
  `((.*_)?(${beforePass})_?)?pass(_.*)?`,
  '(.*_)?(clave|credentials?)(_(hash|md5))?',
  'hash(es)?|digest|b?crypt',
];
const passwordName = new RegExp(`^(?:${passwordNames.join('|')})$`, 'i');

/** Names of columns with hashes of other secrets, or that change a password, such as `password_reset_hash`. */
const otherSecret = /verif|confirm|activat|reset|question|answer|hint|histor/i;

/** Names of columns with digests of something else, such as `email_hash`. */
const otherDigest = /mail(?!box)|photo|picture|image|(?<!pro)file|unsubscri|subscription|rss|feed/i;

/** Names of columns with algorithms and their parameters, such as `pbkdf2$50000$50`. */
const algorithmName = /(?:algo(?:rithm)?|scheme|method|hasher|encoder)$/i;

/** Fields whose columns can serve as the user name if no column is one; `''` stands for columns without a likely field. */
const mayNameUser = ['', 'email', 'mobile', 'external_id'];

/** What must be true of a column for such a field, and cannot be seen in a file. */
const conditions: Readonly<Record<string, string>> = {
  'extension.': ', if your tenant has this attribute',
  hash: ', if one holds the hashes of passwords',
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
  const areIds = named.every(({ name }) => idName.test(name));
  for (const [field, list] of candidates) {
    if (!found.has(field) && !(field === 'user_name' && areIds)) take(field, chosen(field, list, interview));
  }
  if (!found.has('user_name') && areIds) {
    const likely = columns.filter(
      (column) =>
        named.includes(column) ||
        (column.filled > 0 &&
          mayNameUser.includes(column.field ?? '') &&
          column.hashes.found() === 0 &&
          !column.isStatus &&
          !column.mayBePassword),
    );
    take('user_name', chosen('user_name', likely, interview));
  }
  if (!found.has('external_id') && found.has('user_name')) {
    const ids = columns.filter(
      (column) => !used.has(column) && column.filled > 0 && idName.test(column.name),
    );
    if (ids.length === 1) take('external_id', ids[0]);
  }
  return new Map([...found].sort(([one], [other]) => rank(one) - rank(other)));
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
    if (field === 'hash' || (field === undefined && (column.mayBePassword || isPasswordName(column)))) {
      // Passwords themselves, and names of algorithms, are never read as hashes, whatever the name of their column.
      if (!areHashes(column)) continue;
      if (isExact(column)) candidates.set('hash', [column]);
      else if (!candidates.get('hash')?.some(isExact)) add('hash', column);
    } else if (field !== undefined && isExact(column)) candidates.set(field, [column]);
    else if (field !== undefined && !candidates.get(field)?.some(isExact)) add(field, column);
  }
  const others = columns.filter(({ field, mayBePassword }) => field === undefined && !mayBePassword);
  for (const [field, isSuch] of byValue) {
    const isNamed = candidates.has(field);
    for (const column of others) if (!isNamed && isSuch(column)) add(field, column);
  }
  return candidates;
}

/** Part of the addresses of a column that others may have too, if these are people's own; and how much of that is usual. */
const [mostShared, usuallyShared] = [0.5, 0.05];

/** Fields that are recognized by their values, if no column has a name for them. */
const byValue: readonly [field: string, isSuch: (column: ColumnSurvey) => boolean][] = [
  ['hash', (column) => areHashes(column) && !looksLikeSalt(column.name) && !algorithmName.test(column.name)],
  ['email', ({ emails, looked, shared }) => emails > 0.9 * looked && shared <= mostShared],
  [
    'mobile',
    ({ numbers, looked, shared }) =>
      shared <= mostShared &&
      numbers.length > 0.9 * Math.min(looked, 200) &&
      numbers.every((number) => /^\(?\+/.test(number)),
  ],
];

/** True for a column with the field's own name, about which nothing needs to be asked. */
function isExact({ name, field }: ColumnSurvey): boolean {
  return fieldNamed(name) !== undefined && canonicalField(name) === field;
}

function areHashes({ hashes, looked, digests }: ColumnSurvey): boolean {
  return !digests?.areAll && hashes.found() * 2 > looked;
}

/** True if nothing needs to be asked about a column that is the only candidate for a field. */
function isCertain(field: string, column: ColumnSurvey): boolean {
  const { name, shared } = column;
  if (field === 'hash') return isPasswordName(column) || isOwnSecret(column);
  // Only a column with its exact name shows that the tenant has an extension attribute.
  if (field.startsWith('extension.')) return isExact(column);
  if (column.field !== field) return field !== 'user_name' && !isOthers(name) && shared <= usuallyShared;
  return !isOthers(ownerOf(name)) && !(field === 'user_name' && idName.test(name));
}

function isOthers(name: string): boolean {
  return otherName.test(name) || otherContact.test(name);
}

/** True for hashes that no digest looks like, unless the name of their column speaks of another secret. */
function isOwnSecret({ name, hashes, looked }: ColumnSurvey): boolean {
  return (
    hashes.secrets() * 2 > looked &&
    !otherName.test(name) &&
    !otherSecret.test(name) &&
    !otherContact.test(ownerOf(name))
  );
}

/** True if the name of a column says that it holds the hashes of passwords: a digest may be of anything. */
function isPasswordName({ name, field, mayBePassword }: ColumnSurvey): boolean {
  const isKnown = field === 'hash' || mayBePassword;
  const others = isKnown ? ownerOf(name) : name;
  const isNamed =
    isKnown || ((hasPasswordWord(name) || passwordName.test(nameWords(name))) && !algorithmName.test(name));
  const isOther = [otherName, otherSecret, otherDigest].some((names) => names.test(others));
  return isNamed && !isOther && !otherContact.test(ownerOf(name));
}

/** Of a JSON path, what is before the last name can say that the value is somebody else's, or about something else. */
function ownerOf(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

function chosen(
  field: string,
  candidates: readonly ColumnSurvey[],
  interview: Interview,
): ColumnSurvey | undefined {
  // Digests of something else do not make a hash of a password less certain.
  const likely = field === 'hash' ? candidates.filter((column) => isCertain(field, column)) : candidates;
  const [only] = likely;
  if (only && likely.length === 1 && isCertain(field, only)) return only;
  // Names that people log in with come before ids of a database.
  const sorted = candidates.toSorted(
    (one, other) => Number(idName.test(one.name)) - Number(idName.test(other.name)),
  );
  const names = sorted.map(({ name }) => name);
  const condition = Object.entries(conditions).find(([start]) => field.startsWith(start))?.[1] ?? '';
  const [answer = ''] = interview.ask({
    id: field,
    message: `Which column is ${field}${condition}?`,
    choices: [
      ...sorted.map(({ name, samples }) => ({ value: name, name: `${name}  (${samples.join(', ')})` })),
      { value: '', name: 'none of them' },
    ],
    open: `${field} may be ${names.slice(0, mostNamed).join(' or ')}${names.length > mostNamed ? ' or another' : ''}: choose with --map ${field}=COLUMN${condition}`,
  });
  return candidates.find(({ name }) => name === answer);
}
