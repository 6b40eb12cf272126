import canonicalize from 'canonicalize';
import * as v from 'valibot';
import { described, optional } from '../../contract/value-schemas.ts';
import { sha256 } from '../model/digests.ts';
import type { IssueCode } from '../rows/issues/issues.ts';
import { sourceFormats } from '../source/detect-format.ts';

const text = v.string();
const texts = v.array(text);
/** Compared as text with the cells of a file, as it is written, even if YAML reads it as a number or a boolean. */
const scalar = v.union([v.string(), v.number(), v.boolean()]);
const scalars = v.array(scalar);
const table = v.record(text, scalar);
const flag = v.boolean();

const column = v.union([text, v.pipe(texts, v.minLength(1))]);

const replacement = v.strictObject({
  match: described(text, 'a regular expression (RE2: no look-around, no back references)'),
  with: described(text, 'what takes its place; $1 is the first group'),
});

const dateForms = v.pipe(texts, v.minLength(1));

/** The steps, in the order in which they are applied. */
const steps = {
  empty: optional(scalars, 'texts that mean "no value", beside those of the whole recipe'),
  trim: optional(flag, 'remove spaces and tabs at both ends'),
  strip: optional(texts, 'prefixes; the first one that is there is removed'),
  replace: optional(v.array(replacement), 'replacements, one after the other'),
  split: v.exactOptional(
    v.strictObject({
      by: described(v.pipe(text, v.minLength(1)), 'what separates the parts'),
      take: described(v.pipe(v.number(), v.integer()), 'the part that is taken: 1 is the first, -1 the last'),
    }),
  ),
  lower: optional(flag, 'to lower case'),
  upper: optional(flag, 'to upper case'),
  text: optional(flag, 'an identifier: a number that a spreadsheet changed is rejected'),
  values: optional(table, 'what each value becomes, with "" that of no value; another value is rejected'),
  phone: v.exactOptional(
    v.strictObject({
      region: optional(
        v.pipe(text, v.regex(/^[A-Z]{2}$/)),
        'country of numbers without a country code: CN, DE …',
      ),
    }),
  ),
  date: optional(
    dateForms,
    'forms of the date: dd.MM.yyyy …, iso, epoch-days, epoch-seconds, epoch-milliseconds, filetime, generalized-time; two that disagree reject it',
  ),
  otherwise: optional(
    scalar,
    'instead of a rejection by values, phone or date; "" leaves the value out, whatever default says',
  ),
  default: optional(scalar, 'where there is no value'),
} as const;

const rule = v.strictObject({
  column: optional(column, 'name of the column; of several, the first one that is not empty'),
  template: optional(text, 'several columns, such as "{last} {first}"; beside column, if that has no value'),
  value: optional(scalar, 'the same for everybody'),
  optional: optional(flag, 'the file may lack the column'),
  ...steps,
});

const condition = v.strictObject({
  column,
  in: optional(scalars, 'it has one of these values'),
  not_in: optional(scalars, 'it has another value'),
  known: optional(scalars, 'all other values that there are: with a new one, the row is rejected'),
  match: optional(
    text,
    'a part of it matches this regular expression (RE2: no look-around, no back references)',
  ),
  filled: optional(flag, 'it has a value, or has none'),
  not_past: optional(
    v.literal(true),
    'it is infinity, never or the date of a day that has not passed everywhere; anything else is rejected',
  ),
  past: optional(
    v.literal(true),
    'it is the date of a day that has passed everywhere; what is no date, and not infinity or never, is rejected',
  ),
  date: optional(dateForms, 'forms of the dates of past and not_past, as those of a field (default: iso)'),
  bit: optional(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'it is a number with this bit, as flags are added up: 1, 2, 4 …',
  ),
});
const selection = v.strictObject({
  where: described(
    v.union([condition, v.array(condition)]),
    'a condition, or several of which one is enough',
  ),
});

/** The ways to name an algorithm, by the key that each of them needs. `column` comes first: it may stand beside `infer`. */
export const algorithmForms = {
  column: v.strictObject({
    column,
    trim: steps.trim,
    values: v.exactOptional(table),
    otherwise: v.exactOptional(text),
    infer: optional(v.literal(true), 'by the form of the hash, where the column says nothing'),
  }),
  infer: v.strictObject({ infer: described(v.literal(true), 'by the form of each hash') }),
  value: v.strictObject({ value: described(text, 'the same for all') }),
  foreign: v.strictObject({ foreign: described(text, 'the API does not take these hashes; what they are') }),
};

const { infer, value, foreign } = algorithmForms;
const algorithm = v.union([infer, value, foreign, algorithmForms.column]);

const { empty, trim, strip, replace, split, lower, upper } = steps;
const password = v.strictObject({
  column: v.exactOptional(column),
  template: v.exactOptional(text),
  ...{ empty, trim, strip, replace, split, lower, upper },
  algorithm: described(algorithm, 'how the hashes were made'),
  key: optional(v.strictObject({ column: text }), 'column of the HMAC keys'),
  foreign: optional(
    v.picklist(['reject', 'passwordless']),
    'what becomes of users whose hash the API does not take',
  ),
});

const example = v.strictObject({
  in: v.record(text, v.nullable(scalar)),
  out: v.record(text, v.nullable(scalar)),
});

const from = v.strictObject({
  format: v.exactOptional(v.picklist(sourceFormats)),
  header: optional(texts, 'names of the columns of a CSV file without a header'),
  records: optional(text, 'names, joined by dots, that lead to the records of a JSON file'),
  inner: optional(texts, 'paths of texts that hold JSON themselves'),
});

/** Schema of a recipe, which says how a record of a foreign file becomes a user. */
export const recipeSchema = v.strictObject({
  title: optional(text, 'the system and its export, for a person'),
  // What is left of a list whose lines were all deleted is null.
  open: optional(
    v.nullable(texts),
    'what is left to decide; while there is any of it, nothing is imported or planned with the recipe',
  ),
  detect: optional(
    v.array(v.union([text, texts])),
    'columns, or alternatives, by which such a file is recognised',
  ),
  from: optional(v.union([v.picklist(sourceFormats), from]), 'how the file is read'),
  optional_columns: optional(flag, 'the file may lack any of the columns'),
  fields: described(v.record(text, rule), 'the fields of the API, and where each comes from'),
  password: v.exactOptional(password),
  empty: optional(scalars, 'texts that mean "no value" in every column'),
  skip: optional(selection, 'records that are not imported'),
  disable: optional(selection, 'users who are disabled right after they are created'),
  ignore: optional(texts, 'columns that are left out on purpose'),
  examples: optional(v.array(example), 'records and what becomes of them, tried before every use'),
});

export type Recipe = v.InferOutput<typeof recipeSchema>;
export type RecipeRule = v.InferOutput<typeof rule>;
export type RecipeCondition = v.InferOutput<typeof condition>;
export type RecipeSelection = v.InferOutput<typeof selection>;
export type RecipeScalar = v.InferOutput<typeof scalar>;

/** A recipe and its name. */
export interface NamedRecipe {
  /** Name of its file, or of the built-in recipe. */
  name: string;
  recipe: Recipe;
}

/** SHA-256, in hex, of everything in a recipe that changes what is sent. The order of keys and fields does not matter. */
export function recipeDigest({
  title: _,
  open: _o,
  detect: _d,
  examples: _e,
  ignore: _i,
  ...rest
}: Recipe): string {
  return sha256(canonicalize(rest) ?? '');
}

/** Returns a recipe without its title and examples, which people often copy from real records: for keeping it. */
export function withoutExamples({
  name,
  recipe: { title: _, examples: _e, ...recipe },
}: NamedRecipe): NamedRecipe {
  return { name, recipe };
}

/** Returns the columns of a rule in the order in which they are tried, and then all columns that its template names. */
export function columnsOf({ column, template }: { column?: string | string[]; template?: string }): string[] {
  const named = [...(template ?? '').matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return [...[column ?? []].flat(), ...named];
}

/** The conditions by which records are skipped or disabled. */
export function conditionsOf({ skip, disable }: Recipe): RecipeCondition[] {
  return [skip, disable].flatMap((selection) => (selection ? [selection.where].flat() : []));
}

/** Every column that a recipe reads. */
export function columnsRead(recipe: Recipe): string[] {
  const { fields, password } = recipe;
  const { algorithm, key } = password ?? {};
  const ofPassword = [
    ...(password ? columnsOf(password) : []),
    ...(algorithm && 'column' in algorithm ? [algorithm.column].flat() : []),
    ...(key ? [key.column] : []),
  ];
  const ofConditions = conditionsOf(recipe).flatMap(columnsOf);
  return [...new Set([...Object.values(fields).flatMap(columnsOf), ...ofPassword, ...ofConditions])];
}

/** Why a step cannot read a value. */
export interface StepFault {
  code: IssueCode;
  /** Added to the message; never the value. */
  detail?: string;
  /** What to do in this case; replaces the remedy of the code. */
  remedy?: string;
}

/** Converts a value that is not empty; the result `''` means no value. */
export type RecipeStep = (value: string) => string | StepFault;
