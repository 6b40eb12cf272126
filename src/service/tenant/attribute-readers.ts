import {
  type Attribute,
  type AttributeKind,
  type AttributeName,
  attributeNames,
  attributes,
} from '../../contract/attributes.ts';
import {
  type CrossCheck,
  type Field,
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
} from '../json/readers.ts';
import { controlCharacter } from './check-text.ts';
import type { AttributeDocument, ExtensionDocument } from './document.ts';
import { compilePattern, PatternError } from './pattern.ts';

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

/** A pattern that compiles. */
export const readPattern: Reader<string> = (value, place) => {
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

/** Least and most length fit together, and a pattern is not too dear for the longest value. */
export const lengthsUpTo =
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
        pattern: optional(readPattern),
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
    pattern: optional(readPattern),
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

/** The `attributes` of a definition: every system attribute, with what is left out filled in. */
export const readAttributes = object(
  Object.fromEntries(attributeNames.map((name) => [name, attributeField(name)])) as Record<
    AttributeName,
    Field<AttributeDocument>
  >,
  { ofNull: 'system attributes cannot be deleted', noun: 'attribute' },
);

/** The `extension` of a definition: the tenant's own attributes by their keys. */
export const readExtension = record(extensionAttribute, extensionKeyFault);
