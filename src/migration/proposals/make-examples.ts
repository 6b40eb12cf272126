import { DateTime } from 'luxon';
import { outOfExample } from '../recipes/check-examples.ts';
import { conditionsOf, type Recipe, type RecipeRule, type RecipeScalar } from '../recipes/recipe.ts';
import type { ColumnsByField } from './propose-columns.ts';

type Example = NonNullable<Recipe['examples']>[number];

/** Sample hashes that belong to no user. */
const hashes: Record<string, string> = {
  bcrypt: '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  md5: 'e10adc3949ba59abbe56e057f20f883e',
};

/** Values of an invented person, by field. */
const person: Record<string, (rule: RecipeRule) => RecipeScalar | undefined> = {
  user_name: ({ trim }) => (trim ? ' ann ' : 'ann'),
  name: () => 'Ann Lee',
  first_name: () => 'Ann',
  last_name: () => 'Lee',
  email: () => 'ann@example.com',
  mobile: ({ phone }) => (phone?.region === 'CN' ? '138 0013 8000' : '+86 138 0013 8000'),
  attr_gender: ({ values }) => Object.keys(values ?? {})[0],
  attr_birthday: ({ date }) => writtenDate(date?.[0] ?? 'iso'),
  external_id: () => '0042',
};

const day = DateTime.fromISO('1990-02-28', { zone: 'utc' });

function writtenDate(form: string): string {
  if (form === 'iso') return '1990-02-28';
  if (form === 'epoch-seconds') return String(day.toSeconds());
  return form === 'epoch-milliseconds' ? String(day.toMillis()) : day.toFormat(form);
}

/** Makes examples for a recipe: an invented person, and one who is skipped or disabled. `out` is what the recipe makes of them. */
export async function makeExamples(recipe: Recipe, columns: ColumnsByField): Promise<Example[]> {
  const input: Record<string, RecipeScalar> = {};
  for (const [field, rule] of Object.entries(recipe.fields)) {
    const name = columns.get(field)?.name;
    const value = person[field]?.(rule);
    if (name !== undefined && value !== undefined) input[name] ??= value;
  }
  Object.assign(input, exampleHash(recipe, columns));
  if (Object.keys(input).length === 0) return [];
  // The invented person is not one of those who are left out because they have no value.
  for (const { column = '', filled } of conditionsOf(recipe))
    if (filled === false) for (const name of [column].flat()) input[name] ??= 'x';
  const named = { name: 'example', recipe };
  const made = await outOfExample(named, input);
  const shown = new Set(Object.keys(recipe.fields).filter((field) => field !== 'pwd_must_modify'));
  const out = Object.entries(made ?? {}).filter(([field]) => shown.has(field) || field === 'algorithm');
  if (out.length === 0) return [];
  const examples: Example[] = [{ in: input, out: Object.fromEntries(out) }];
  for (const [fate, word] of [
    ['skip', 'skipped'],
    ['disable', 'disabled'],
  ] as const) {
    const [first] = [recipe[fate]?.where ?? []].flat();
    if (!first) continue;
    const [column = ''] = [first.column].flat();
    examples.push({
      in: { ...input, [column]: first.filled === false ? '' : (first.in?.[0] ?? 'x') },
      out: { [word]: true },
    });
  }
  return examples;
}

/** Returns a sample hash in the form of the file, with its prefix and its word for the algorithm. */
function exampleHash({ password }: Recipe, columns: ColumnsByField): Record<string, RecipeScalar> {
  const groups = columns.get('hash')?.hashes.groups() ?? [];
  const group = groups.find(({ algorithm }) => hashes[algorithm] !== undefined);
  if (!password || !group || typeof password.column !== 'string') return {};
  const hash = { [password.column]: `${group.prefix}${hashes[group.algorithm]}` };
  const { algorithm } = password;
  if (!('column' in algorithm) || typeof algorithm.column !== 'string') return hash;
  const word = Object.entries(algorithm.values ?? {}).find(([, name]) => name === group.algorithm)?.[0];
  return word === undefined ? {} : { ...hash, [algorithm.column]: word };
}
