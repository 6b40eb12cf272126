import * as v from 'valibot';
import type { IssueCode } from '../rows/issues.ts';

const text = v.string();
const texts = v.array(text);
/** What YAML may have taken for a number or a truth value is the text that it is in a file of users. */
const scalar = v.union([v.string(), v.number(), v.boolean()]);
const scalars = v.array(scalar);
const table = v.record(text, scalar);
const flag = v.boolean();

/** A schema with a sentence on what its value means. */
function said<Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description));
}

const column = v.union([text, v.pipe(texts, v.minLength(1))]);

const replacement = v.strictObject({
  match: said(text, 'a regular expression (RE2: no look-around, no back references)'),
  with: said(text, 'what takes its place; $1 is the first group'),
});

/** The steps, in the order in which they are taken. */
const steps = {
  empty: v.exactOptional(said(scalars, 'texts that mean "no value", beside those of the whole recipe')),
  trim: v.exactOptional(said(flag, 'remove spaces and tabs at both ends')),
  strip: v.exactOptional(said(texts, 'prefixes; the first one that is there is removed')),
  replace: v.exactOptional(said(v.array(replacement), 'replacements, one after the other')),
  split: v.exactOptional(
    v.strictObject({
      by: said(v.pipe(text, v.minLength(1)), 'what separates the parts'),
      take: said(v.pipe(v.number(), v.integer()), 'the part that is taken: 1 is the first, -1 the last'),
    }),
  ),
  lower: v.exactOptional(said(flag, 'to lower case')),
  upper: v.exactOptional(said(flag, 'to upper case')),
  text: v.exactOptional(said(flag, 'an identifier: a number that a spreadsheet changed is rejected')),
  values: v.exactOptional(said(table, 'what each value becomes; another value is rejected')),
  phone: v.exactOptional(
    v.strictObject({
      region: v.exactOptional(
        said(v.pipe(text, v.regex(/^[A-Z]{2}$/)), 'country of numbers without a country code: CN, DE …'),
      ),
    }),
  ),
  date: v.exactOptional(
    said(
      v.pipe(texts, v.minLength(1)),
      'forms of the date: dd.MM.yyyy …, iso, epoch-seconds, epoch-milliseconds; two that disagree reject it',
    ),
  ),
  otherwise: v.exactOptional(
    said(scalar, 'instead of a rejection by values, phone or date; "" for no value'),
  ),
  default: v.exactOptional(said(scalar, 'where there is no value')),
} as const;

const rule = v.strictObject({
  column: v.exactOptional(said(column, 'name of the column; of several, the first one that is not empty')),
  template: v.exactOptional(said(text, 'several columns, such as "{last} {first}"')),
  value: v.exactOptional(said(scalar, 'the same for everybody')),
  optional: v.exactOptional(said(flag, 'the file may lack the column')),
  ...steps,
});

const condition = v.strictObject({
  column,
  in: v.exactOptional(said(scalars, 'it has one of these values')),
  not_in: v.exactOptional(said(scalars, 'it has another value')),
  known: v.exactOptional(
    said(scalars, 'all other values that there are: with a new one, the row is rejected'),
  ),
  filled: v.exactOptional(said(flag, 'it has a value, or has none')),
  not_past: v.exactOptional(
    said(v.literal(true), 'it has a value, and not the date of a day that has passed everywhere'),
  ),
  bit: v.exactOptional(
    said(
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      'it is a number with this bit, as flags are added up: 1, 2, 4 …',
    ),
  ),
});
const selection = v.strictObject({
  where: said(v.union([condition, v.array(condition)]), 'a condition, or several of which one is enough'),
});

const algorithm = v.union([
  v.strictObject({ infer: said(v.literal(true), 'by the form of each hash') }),
  v.strictObject({ value: said(text, 'the same for all') }),
  v.strictObject({ foreign: said(text, 'the API does not take these hashes; what they are') }),
  v.strictObject({
    column: text,
    values: v.exactOptional(table),
    otherwise: v.exactOptional(text),
    infer: v.exactOptional(said(v.literal(true), 'by the form of the hash, where the column says nothing')),
  }),
]);

const { empty, trim, strip, replace, split, lower, upper } = steps;
const password = v.strictObject({
  column: v.exactOptional(column),
  template: v.exactOptional(text),
  ...{ empty, trim, strip, replace, split, lower, upper },
  algorithm: said(algorithm, 'how the hashes were made'),
  key: v.exactOptional(said(v.strictObject({ column: text }), 'column of the HMAC keys')),
  foreign: v.exactOptional(
    said(v.picklist(['reject', 'passwordless']), 'what becomes of users whose hash the API does not take'),
  ),
});

const example = v.strictObject({
  in: v.record(text, v.nullable(scalar)),
  out: v.record(text, v.nullable(scalar)),
});

const from = v.strictObject({
  format: v.exactOptional(v.picklist(['csv', 'json', 'ldif'])),
  header: v.exactOptional(said(texts, 'names of the columns of a CSV file without a header')),
  records: v.exactOptional(said(text, 'names, joined by dots, that lead to the records of a JSON file')),
  inner: v.exactOptional(said(texts, 'paths of texts that hold JSON themselves')),
});

/** What a recipe is: how a record of a foreign file becomes a user. */
export const recipeSchema = v.strictObject({
  title: v.exactOptional(said(text, 'the system and its export, for a person')),
  detect: v.exactOptional(
    said(v.array(v.union([text, texts])), 'columns, or alternatives, by which such a file is recognised'),
  ),
  from: v.exactOptional(said(v.union([v.picklist(['csv', 'json', 'ldif']), from]), 'how the file is read')),
  optional_columns: v.exactOptional(said(flag, 'the file may lack any of the columns')),
  fields: said(v.record(text, rule), 'the fields of the API, and where each comes from'),
  password: v.exactOptional(password),
  empty: v.exactOptional(said(scalars, 'texts that mean "no value" in every column')),
  skip: v.exactOptional(said(selection, 'records that are not imported')),
  disable: v.exactOptional(said(selection, 'users who are disabled right after they are created')),
  ignore: v.exactOptional(said(texts, 'columns that are left out on purpose')),
  examples: v.exactOptional(
    said(v.array(example), 'records and what becomes of them, tried before every use'),
  ),
});

export type Recipe = v.InferOutput<typeof recipeSchema>;
export type RecipeRule = v.InferOutput<typeof rule>;
export type RecipeSelection = v.InferOutput<typeof selection>;
export type RecipeScalar = v.InferOutput<typeof scalar>;

/** A recipe, and where it is from. */
export interface NamedRecipe {
  /** Of the file, or of a built-in recipe. */
  name: string;
  recipe: Recipe;
}

/** The columns of a rule, in the order in which they are tried; of a template all that it names. */
export function columnsOf({ column, template }: { column?: string | string[]; template?: string }): string[] {
  if (template !== undefined) return [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  return column === undefined ? [] : [column].flat();
}

/** The conditions by which records are skipped or disabled. */
export function conditionsOf({ skip, disable }: Recipe) {
  return [skip, disable].flatMap((selection) => (selection ? [selection.where].flat() : []));
}

/** Every column that a recipe reads. */
export function columnsRead(recipe: Recipe): string[] {
  const { fields, password } = recipe;
  const { algorithm, key } = password ?? {};
  const ofPassword = [
    ...(password ? columnsOf(password) : []),
    ...(algorithm && 'column' in algorithm ? [algorithm.column] : []),
    ...(key ? [key.column] : []),
  ];
  const ofConditions = conditionsOf(recipe).flatMap(columnsOf);
  return [...new Set([...Object.values(fields).flatMap(columnsOf), ...ofPassword, ...ofConditions])];
}

/** Why a step cannot read a value. */
export interface StepFault {
  code: IssueCode;
  /** Never the value. */
  detail?: string;
  /** What to do in this case, instead of the remedy of the code. */
  remedy?: string;
}

/** Turns a value that is not empty into another; `''` is no value. */
export type RecipeStep = (value: string) => string | StepFault;
