import * as v from 'valibot';
import {
  type Attribute,
  type AttributeKind,
  type AttributeName,
  attributeNames,
  attributes,
} from '../../contract/attributes.ts';
import { boolean, crossCheck, integer, object, oneOf, record, string } from '../json/file-schemas.ts';
import { controlCharacter, type TextRule } from './check-text.ts';
import { compilePattern, type Pattern, PatternError } from './pattern.ts';

/** Maximum characters that a tenant may allow: for a text, and for an attribute that is a key of the database. */
const longest = { text: 65_536, key: 500 };

/** Maximum characters of the kinds without a length limit of their own; an image is limited by the body. */
const byNature: Partial<Record<AttributeKind, number>> = {
  mobile: 100,
  gender: 100,
  date: 100,
  image: 5 * 1024 * 1024,
};

const indexed: readonly AttributeName[] = ['user_name', 'email', 'external_id'];

const label = string(
  (value) => value.trim() !== '' && value.length <= 100 && !controlCharacter.test(value),
  'a text of 1 to 100 characters',
);

/** A text that is compiled to a pattern. */
export const pattern = v.pipe(
  string((source) => source.length <= 1000, 'a text of at most 1000 characters'),
  v.rawTransform(({ dataset, addIssue, NEVER }): Pattern => {
    try {
      return compilePattern(dataset.value);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      addIssue({ message: `is not a valid pattern: ${error.message}` });
      return NEVER;
    }
  }),
);

/** Maximum of a value's characters times the size of its pattern: some tenths of a second in the worst case. */
const maxPatternCost = 10_000_000;

/** Checks that the lengths fit together, and that the pattern does not take too long on the longest value. */
export const checkLengths = <Rule extends TextRule>(most: number) =>
  crossCheck<Rule>(({ min_length, max_length = most, pattern }, report) => {
    if (min_length > max_length) report(`${min_length} is more than max_length, ${max_length}`, 'min_length');
    if (pattern && pattern.size * max_length > maxPatternCost)
      report(`takes too long on a value of ${max_length} characters; lower max_length`, 'pattern');
  });

/** Schema of a tenant's rule for an attribute of the API. Lengths are in characters. */
function attributeRule(name: AttributeName) {
  const { kind, maxLength, empty }: Attribute = attributes[name];
  const most = indexed.includes(name) ? longest.key : (byNature[kind] ?? longest.text);
  const required = v.check(
    (isRequired: boolean) => !isRequired || empty !== undefined,
    'cannot be required: the API has no code for it',
  );
  return v.pipe(
    object(
      {
        display_name: v.exactOptional(label),
        required: v.optional(v.pipe(boolean, required), false),
        min_length: v.optional(integer(1, most), 1),
        // No default for the kinds without a length limit of their own.
        max_length: v.exactOptional(integer(1, most), maxLength),
        pattern: v.exactOptional(pattern),
      },
      { ofNull: 'system attributes cannot be deleted' },
    ),
    checkLengths(most),
  );
}

/** The rules of all attributes of the API; missing ones have their defaults. */
export const attributeRules = object(
  Object.fromEntries(attributeNames.map((name) => [name, v.optional(attributeRule(name), {})])) as Record<
    AttributeName,
    v.OptionalSchema<ReturnType<typeof attributeRule>, Record<never, never>>
  >,
  { noun: 'attribute' },
);

/** An extension attribute (§1); only a text can be unique (decision 25). */
const extensionRule = v.pipe(
  object({
    display_name: label,
    type: v.optional(oneOf(['text', 'number', 'boolean', 'date']), 'text'),
    required: v.optional(boolean, false),
    unique: v.optional(boolean, false),
    min_length: v.optional(integer(1, longest.text), 1),
    max_length: v.optional(integer(1, longest.text), 255),
    pattern: v.exactOptional(pattern),
  }),
  checkLengths(longest.text),
  crossCheck(({ type, unique, max_length }, report) => {
    if (unique && type !== 'text') report(`only a text can be unique, this is a ${type}`, 'unique');
    else if (unique && max_length > longest.key)
      report(`a unique text can have at most ${longest.key} characters; lower max_length`, 'unique');
  }),
);

const extensionKey = v.pipe(
  v.string(),
  v.check(
    (key) => key.length > 0 && key.length <= 64 && !/\s/u.test(key) && !controlCharacter.test(key),
    'a key must have 1 to 64 characters, without blanks and control characters',
  ),
);

/** A tenant's extension attributes by key. */
export const extensionRules = v.pipe(
  record(extensionKey, extensionRule),
  v.transform((rules): ReadonlyMap<string, ExtensionRule> => new Map(Object.entries(rules))),
);

export type ExtensionRule = v.InferOutput<typeof extensionRule>;
