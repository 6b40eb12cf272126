import {
  type Attribute,
  type AttributeKind,
  type AttributeName,
  attributeNames,
  attributes,
} from '../../contract/attributes.ts';
import { controlCharacter } from '../rules/check-text.ts';
import type { AttributeDocument, ExtensionDocument, TenantDocument } from './document.ts';
import { compilePattern, PatternError } from './pattern.ts';
import {
  type CrossCheck,
  type Field,
  listOf,
  needed,
  note,
  object,
  oneOf,
  optional,
  or,
  type Reader,
  record,
  section,
  text,
  truth,
  whole,
  within,
} from './readers.ts';

/** Longest text a tenant may allow, in characters, and the longest that is a key of the database. */
const longest = { text: 65_536, key: 500 };

/** Longest value of a kind that no length limits: for an image that is the body's. */
const byNature: Partial<Record<AttributeKind, number>> = {
  mobile: 100,
  gender: 100,
  date: 100,
  image: 5 * 1024 * 1024,
};

/** Characters times steps of a pattern: some tenths of a second at the very worst. */
const dearestPattern = 10_000_000;

const indexed: readonly AttributeName[] = ['user_name', 'email', 'external_id'];

const label = text(
  (value) => value.trim() !== '' && value.length <= 100 && !controlCharacter.test(value),
  'a text of 1 to 100 characters',
);

const pattern: Reader<string> = (value, place) => {
  const source = text((given) => given.length <= 1000, 'a text of at most 1000 characters')(value, place);
  if (source === undefined) return undefined;
  try {
    compilePattern(source);
    return source;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return note(place, `is no pattern that can be used: ${error.message}`);
  }
};

interface Lengths {
  min_length: number;
  max_length?: number;
  pattern?: string;
}

const lengthsUpTo =
  (most: number): CrossCheck<Lengths> =>
  (rule, place) => {
    const { min_length, max_length = most, pattern: source } = rule;
    if (min_length > max_length)
      note(within(place, 'min_length'), `${min_length} is more than max_length, ${max_length}`);
    if (source !== undefined && compilePattern(source).size * max_length > dearestPattern)
      note(
        within(place, 'pattern'),
        `takes too long on a value of ${max_length} characters; lower max_length`,
      );
  };

function attributeField(name: AttributeName): Field<AttributeDocument> {
  const { kind, maxLength, empty }: Attribute = attributes[name];
  const most = indexed.includes(name) ? longest.key : (byNature[kind] ?? longest.text);
  const noCode: Reader<boolean> = (value, place) =>
    truth(value, place) ? note(place, 'cannot be required: the specification has no code for it') : false;
  const max_length = whole(1, most);
  return section(
    object<AttributeDocument>(
      {
        display_name: optional(label),
        required: or(empty ? truth : noCode, false),
        min_length: or(whole(1, most), 1),
        max_length: maxLength ? or(max_length, maxLength) : optional(max_length),
        pattern: optional(pattern),
      },
      { check: lengthsUpTo(most) },
    ),
  );
}

const extensionTypes = ['text', 'number', 'boolean', 'date'] as const;

const extensionAttribute = object<ExtensionDocument>(
  {
    display_name: needed(label),
    type: or(oneOf(extensionTypes), 'text'),
    required: or(truth, false),
    unique: or(truth, false),
    min_length: or(whole(1, longest.text), 1),
    max_length: or(whole(1, longest.text), 255),
    pattern: optional(pattern),
  },
  {
    check(rule, place) {
      lengthsUpTo(longest.text)(rule, place);
      const at = within(place, 'unique');
      if (rule.unique && rule.type !== 'text') note(at, `only a text can be unique, this is a ${rule.type}`);
      else if (rule.unique && rule.max_length > longest.key)
        note(at, `a unique text can have at most ${longest.key} characters; lower max_length`);
    },
  },
);

function extensionKeyFault(key: string): string | undefined {
  if (key in Object.prototype) return 'this key is reserved';
  return key.length > 0 && key.length <= 64 && !/\s/u.test(key) && !controlCharacter.test(key)
    ? undefined
    : 'a key must have 1 to 64 characters, without blanks and control characters';
}

const areaCodeShape = /^[1-9]\d{0,3}$/;

const builtInAreaCodes = {
  '86': '^1[3-9]\\d{9}$',
  '852': '^[5-9]\\d{7}$',
  '853': '^6\\d{7}$',
  '886': '^9\\d{8}$',
  '1': '^[2-9]\\d{9}$',
  '44': '^7\\d{9}$',
  '65': '^[89]\\d{7}$',
  '81': '^[789]0\\d{8}$',
};

const mobile = object<TenantDocument['mobile']>(
  {
    default_area_code: or(
      text((value) => areaCodeShape.test(value), 'an area code of 1 to 4 digits, in quotes'),
      '86',
    ),
    area_codes: or(
      record(pattern, (code) =>
        areaCodeShape.test(code) ? undefined : 'an area code has 1 to 4 digits and does not begin with 0',
      ),
      builtInAreaCodes,
    ),
  },
  {
    check({ default_area_code: code, area_codes }, place) {
      if (!Object.hasOwn(area_codes, code))
        note(within(place, 'default_area_code'), `${code} is not among area_codes`);
    },
  },
);

const password = object<TenantDocument['password']>(
  {
    required: or(truth, false),
    min_length: or(whole(1, 128), 8),
    max_length: or(whole(1, 1024), 18),
    min_character_classes: or(whole(1, 4), 3),
    max_repeats: or(whole(1, 1024), 3),
    forbid_reversed_user_name: or(truth, true),
    forbid_user_information: or(truth, true),
    forbid_weak: or(truth, true),
    history: or(whole(0, 24), 5),
  },
  { check: lengthsUpTo(longest.text) },
);

const month = 31 * 24 * 3600;

/** Reads a parsed tenant definition; the one table of its keys, their shapes and their defaults. */
export const readDocument: Reader<TenantDocument> = object<TenantDocument>({
  tenant_id: or(
    text(
      (value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(value),
      '1 to 64 letters, digits, "-" and "_", beginning with a letter or digit',
    ),
    'default',
  ),
  time_zone: or(text(isTimeZone, 'an IANA time zone such as Asia/Shanghai'), 'UTC'),
  attributes: section(
    object(
      Object.fromEntries(attributeNames.map((name) => [name, attributeField(name)])) as Record<
        AttributeName,
        Field<AttributeDocument>
      >,
      { ofNull: 'system attributes cannot be deleted', noun: 'attribute' },
    ),
  ),
  extension: or(record(extensionAttribute, extensionKeyFault), {}),
  mobile: section(mobile),
  password: section(password),
  token: section(object({ expires_in: or(whole(1, month), 1800) })),
  sso: section(
    object({
      ticket_expires_in: or(whole(1, 86_400), 300),
      fields: or(listOf(oneOf(['id', 'userName', 'name', 'mobile', 'email'])), [
        'id',
        'userName',
        'name',
        'mobile',
        'email',
      ]),
    }),
  ),
  login: section(object({ max_attempts: or(whole(1, 1000), 5), lock_seconds: or(whole(1, month), 300) })),
});

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
