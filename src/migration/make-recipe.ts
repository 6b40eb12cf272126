import * as v from 'valibot';
import { count, described, text, textOrNull } from '../contract/value-schemas.ts';
import { formatCount } from '../text/format-count.ts';
import { SourceError } from './model/errors.ts';
import type { RecipeQuestion } from './proposals/interview.ts';
import { fieldsBeside, openOfCopy, type Proposal, proposeRecipe } from './proposals/propose-recipe.ts';
import { entry, remarks } from './proposals/recipe-lines.ts';
import { requireNames, type Survey, surveyColumns } from './proposals/survey.ts';
import { type BuiltInName, builtInRecipe, builtInText, findBuiltIn } from './recipes/built-in.ts';
import { compileSelection } from './recipes/compile-rule.ts';
import { readRecipe } from './recipes/read-recipe.ts';
import { columnsOf, columnsRead, conditionsOf, type Recipe, recipeSchema } from './recipes/recipe.ts';
import { shownShare } from './report/texts/format.ts';
import { requireMapped } from './rows/columns.ts';
import { checkColumnOptions } from './rows/fields/column-options.ts';
import { fieldFinder, hasKnownName } from './rows/fields/suggest-field.ts';
import { shownName } from './rows/ignored-columns.ts';
import { openSource, type Source, type SourceOptions } from './source/open-source.ts';

/** What a recipe is made from: the survey of a file, or the built-in recipe for such files. */
interface LookedAt {
  file: string;
  reading: string[];
  rows: number;
  from: NonNullable<Recipe['from']>;
  content: { survey: Survey } | ({ builtIn: BuiltInName } & Pick<Proposal, 'open' | 'notes'>);
}

/** How a file is read, and what is known about it. */
export interface LookOptions extends SourceOptions {
  map: readonly ColumnMapping[];
  /** The built-in recipe for such files; `none`: it is made from the columns. If left out, it is detected. */
  builtIn?: BuiltInName | 'none' | undefined;
}

type ColumnMapping = { field: string; column: string };

/** What is known, and how a person can be asked. */
interface MakeRecipeOptions {
  map: readonly ColumnMapping[];
  /** Country of telephone numbers without a country code. */
  region: string | undefined;
  /** Asks a person; without it, questions are left open. */
  ask: ((question: RecipeQuestion) => Promise<readonly string[]>) | undefined;
}

/** A first recipe for a file. It holds no personal value. */
export const madeRecipe = v.strictObject({
  file: text,
  reading: described(v.array(text), 'compression, encoding, delimiter or format'),
  rows: count,
  built_in: described(textOrNull, 'the built-in recipe that this is a copy of'),
  columns: v.array(
    v.strictObject({
      name: text,
      field: described(textOrNull, 'what the column is read as; null: it is not read'),
      filled: described(count, 'rows in which it has a value'),
      samples: described(v.array(text), 'masked values, or kinds of hashes'),
    }),
  ),
  open: described(v.array(text), 'what is left to decide, as in the recipe'),
  notes: described(v.array(text), 'remarks about which nothing needs to be decided'),
  recipe: recipeSchema,
  text: described(text, 'the recipe as a file'),
});

export type MadeRecipe = v.InferOutput<typeof madeRecipe>;

/** Finds the built-in recipe for a file of users, or surveys all its rows. Rejects with a `SourceError`. */
export async function lookAtFile(file: string, { map, builtIn, ...reading }: LookOptions): Promise<LookedAt> {
  const { mapped } = checkColumnOptions(file, { map });
  const source = await openSource(file, fieldFinder({ map }), reading);
  try {
    const isOwn = builtIn === 'none' || map.length > 0 || reading.header;
    const found = isOwn
      ? undefined
      : await (builtIn ? builtInRecipe(builtIn) : findBuiltIn(source.header.cells));
    // What was read as the header of such a file is its first row.
    const isHeadless = typeof found?.recipe.from === 'object' && found.recipe.from.header !== undefined;
    if (!isHeadless) requireColumns(source, mapped.keys(), fieldFinder({ map }));
    if (!found) requireNames(source, map);
    const kept = found ? await withoutSkipped(source, found.recipe) : source;
    const survey = isHeadless ? { columns: [], empty: [] } : await surveyColumns(kept, map, reading.signal);
    const content = found ? { builtIn: found.name, ...beside(found.recipe, survey) } : { survey };
    return {
      file,
      reading: [...source.reading],
      rows: source.rows + (isHeadless ? 1 : 0),
      from: originOf(source, reading),
      content,
    };
  } finally {
    await source.close();
  }
}

/** Leaves out the people whom a recipe leaves out: what only they have or lack leaves nothing to decide. */
async function withoutSkipped(source: Source, { skip, empty }: Recipe): Promise<Source> {
  const selects = await compileSelection(skip, source.header.cells, empty, Date.now());
  async function* readRows() {
    for await (const records of source.readRows())
      yield records.filter(({ cells }) => typeof selects(cells) !== 'object');
  }
  return { ...source, readRows };
}

/**
 * Makes a first recipe for a file: a copy of the built-in one if the file is of a known system, or one based on the names and
 * values of its columns.
 */
export async function makeRecipe(
  { content, from, ...facts }: LookedAt,
  { map, region, ask }: MakeRecipeOptions,
): Promise<MadeRecipe> {
  if ('builtIn' in content) {
    const { builtIn, ...others } = content;
    const { recipe, text, ...copy } = await copyOf(builtIn, region);
    const [open, notes] = [
      [...others.open, ...copy.open],
      [...others.notes, ...copy.notes],
    ];
    return {
      ...facts,
      built_in: builtIn,
      columns: [],
      open,
      notes,
      recipe: open.length > 0 ? { open, ...recipe } : recipe,
      text: [...remarks(open, notes), text].join('\n'),
    };
  }
  const { survey } = content;
  const answers = new Map(region === undefined ? [] : [['region', [region]]]);
  let proposal = proposeRecipe(survey, { map, from }, answers);
  for (let [next] = proposal.questions; ask && next; [next] = proposal.questions) {
    answers.set(next.id, [...(await ask(next))]);
    proposal = proposeRecipe(survey, { map, from }, answers);
  }
  const { columns, open, notes, recipe } = proposal;
  const read = new Set(columnsRead(recipe));
  const fields = new Map(
    [...columns].flatMap(([field, column]) => (read.has(column.name) ? [[column, field]] : [])),
  );
  const selects = new Set(conditionsOf(recipe).flatMap(columnsOf));
  const fate = recipe.disable ? 'disable' : 'skip';
  return {
    ...facts,
    built_in: null,
    columns: survey.columns.map((column) => ({
      name: fields.has(column) ? column.name : shownName(column.name, column.index),
      field: fields.get(column) ?? (selects.has(column.name) ? fate : null),
      filled: column.filled,
      samples: column.samples,
    })),
    open: [...open],
    notes: [...notes],
    recipe,
    text: recipeText(proposal, survey, facts),
  };
}

/** What a copy of this recipe leaves to decide for a file, and remarks about fields that it does not read. */
function beside(recipe: Recipe, survey: Survey): Pick<Proposal, 'open' | 'notes'> {
  const fields = fieldsBeside(recipe, survey).map(([field, rule]) => {
    const text = `the recipe does not read ${field}: if it is in the column ${[rule.column].join()}, add ${entry(field, rule)} under fields:`;
    return { text, isOpen: field === 'pwd_must_modify' };
  });
  const textsOf = (isOpen: boolean) => fields.flatMap((one) => (one.isOpen === isOpen ? [one.text] : []));
  return { open: [...openOfCopy(recipe, survey), ...textsOf(true)], notes: textsOf(false) };
}

/** A copy of a built-in recipe, with this country for the telephone numbers whose country it leaves open. */
async function copyOf(
  name: BuiltInName,
  region: string | undefined,
): Promise<Pick<MadeRecipe, 'recipe' | 'text' | 'open' | 'notes'>> {
  const [{ recipe }, whole] = [await builtInRecipe(name), await builtInText(name)];
  const copy = { recipe, text: whole, open: [], notes: [] };
  if (region === undefined) return copy;
  const own = whole.replaceAll('phone: {}', `phone: { region: ${region} }`);
  if (own !== whole) {
    const reading = await readRecipe(own);
    if ('recipe' in reading) return { ...copy, recipe: reading.recipe, text: own };
  }
  const given = Object.values(recipe.fields).flatMap(({ phone }) => phone?.region ?? []);
  if (given.includes(region)) return copy;
  const unused = `--region was not used: the recipe ${name}`;
  return given.length === 0
    ? { ...copy, notes: [`${unused} reads no telephone numbers`] }
    : { ...copy, open: [`${unused} names the country itself; change region: in the copy`] };
}

/** What may be wrong if no column has a known name, and what to do. The line of a CSV file may be a row, so nothing of it is shown. */
const noNames = {
  csv: ', and the first line may be a row; name the columns with --header NAME,NAME,…, or one of them with --map FIELD=COLUMN',
  records:
    "; name one with --map FIELD=PATH, such as --map user_name=fields.login, or, if the users are in a list such as value, extract them: jq -c '.value[]'",
};

function requireColumns(
  source: Source,
  names: Iterable<string>,
  fieldOf: (name: string) => string | undefined,
): void {
  const { file, rows, header } = source;
  if (rows === 0) throw new SourceError(file, 'the file has a header but no rows', header.line);
  if (!hasKnownName(source, fieldOf))
    throw new SourceError(
      file,
      `no column has a known name${noNames[source.format === 'csv' ? 'csv' : 'records']}`,
      header.line,
    );
  requireMapped(source, names);
}

function originOf({ format }: Source, { header }: SourceOptions): NonNullable<Recipe['from']> {
  return header ? { format, header: [...header] } : format;
}

/** Formats a recipe as a person would write it: one line per field, with the fill rate and masked samples of its column. */
function recipeText(
  { recipe, columns, open, notes }: Proposal,
  survey: Survey,
  { file, reading, rows }: { file: string; reading: readonly string[]; rows: number },
): string {
  const { from, fields, password, open: _, ...rest } = recipe;
  const note = (field: string) => {
    const column = columns.get(field);
    if (column) return ` # ${shownShare(column.filled, rows)}: ${column.samples.join(', ')}`;
    return field === 'pwd_must_modify' ? ' # without this line everybody must change the password' : '';
  };
  const used = new Set(columnsRead(recipe));
  const unused = survey.columns.flatMap(({ name, index, filled }) =>
    used.has(name) ? [] : [`${shownName(name, index)} (${shownShare(filled, rows)})`],
  );
  const lines = [
    `# ${file}: ${reading.join(', ')}, ${formatCount(rows, 'row')}. Made by tenant-users recipe make; look through it.`,
    ...remarks(open, notes),
    entry('from', from),
    Object.keys(fields).length > 0 ? 'fields:' : 'fields: {}',
    ...Object.entries(fields).map(([field, rule]) => `  ${entry(field, rule)}${note(field)}`),
    ...(password ? [`${entry('password', password)}${note('hash')}`] : []),
    ...Object.entries(rest).map(([name, value]) => entry(name, value)),
    ...(unused.length > 0 ? [`# Not used: ${unused.join(', ')}`] : []),
  ];
  return `${lines.map((line) => line.replaceAll(/[\r\n]+/g, ' ')).join('\n')}\n`;
}
