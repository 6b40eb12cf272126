import { placeOf } from '../model/source-record.ts';
import { mayBePassword, suggestField } from '../rows/fields/suggest-field.ts';
import type { NamedRecipe } from './recipe.ts';

type LoadText = () => Promise<{ default: string }>;

/** The built-in recipes, by the names of their systems. Users can copy and change their files. */
const texts = {
  auth0: () => import('./built-in/auth0.yaml?raw'),
  chinese: () => import('./built-in/chinese.yaml?raw'),
  clerk: () => import('./built-in/clerk.yaml?raw'),
  cognito: () => import('./built-in/cognito.yaml?raw'),
  devise: () => import('./built-in/devise.yaml?raw'),
  discourse: () => import('./built-in/discourse.yaml?raw'),
  django: () => import('./built-in/django.yaml?raw'),
  drupal: () => import('./built-in/drupal.yaml?raw'),
  firebase: () => import('./built-in/firebase.yaml?raw'),
  'firebase-csv': () => import('./built-in/firebase-csv.yaml?raw'),
  keycloak: () => import('./built-in/keycloak.yaml?raw'),
  laravel: () => import('./built-in/laravel.yaml?raw'),
  ldap: () => import('./built-in/ldap.yaml?raw'),
  okta: () => import('./built-in/okta.yaml?raw'),
  ruoyi: () => import('./built-in/ruoyi.yaml?raw'),
  supabase: () => import('./built-in/supabase.yaml?raw'),
  wordpress: () => import('./built-in/wordpress.yaml?raw'),
} as const satisfies Record<string, LoadText>;

export type BuiltInName = keyof typeof texts;
export const builtInNames = Object.keys(texts) as BuiltInName[];

/** True for the name of a built-in recipe. */
export function isBuiltIn(name: string): name is BuiltInName {
  return Object.hasOwn(texts, name);
}

/** Returns the text of a built-in recipe, as shipped. */
export async function builtInText(name: BuiltInName): Promise<string> {
  return (await texts[name]()).default;
}

/** A built-in recipe. */
export interface BuiltInRecipe extends NamedRecipe {
  name: BuiltInName;
}

/** Cache of parsed recipes: each file without a recipe is compared with all, and one process may open many files for an agent. */
const readings = new Map<BuiltInName, Promise<BuiltInRecipe>>();

/** Returns a built-in recipe; parses it only once. */
export function builtInRecipe(name: BuiltInName): Promise<BuiltInRecipe> {
  const reading = readings.get(name) ?? readBuiltIn(name);
  readings.set(name, reading);
  return reading;
}

async function readBuiltIn(name: BuiltInName): Promise<BuiltInRecipe> {
  const { readRecipe } = await import('./read-recipe.ts');
  const reading = await readRecipe(await builtInText(name));
  if ('recipe' in reading) return { name, recipe: reading.recipe };
  throw new Error(`the built-in recipe ${name} is broken: ${JSON.stringify(reading.issues)}`);
}

/**
 * True for a row of data rather than a header: names of columns all differ, while several cells of a row are empty. A spreadsheet can
 * write empty cells after a header, too, but hardly ever has a row two usual names of columns.
 */
function isRow(cells: readonly string[]): boolean {
  const distinct = new Set(cells.map((cell, index) => (cell === placeOf(index) ? '' : cell)));
  const names = [...distinct].filter((cell) => suggestField(cell) !== undefined || mayBePassword(cell));
  return distinct.size < cells.length - 1 && names.length < 2;
}

/**
 * Finds the built-in recipe for a file with these columns: the one that recognizes most of them; `undefined` if none does, or two
 * recognize equally many. A file without a header is recognized by the number of cells in its first row.
 */
export async function findBuiltIn(header: readonly string[]): Promise<BuiltInRecipe | undefined> {
  const names = new Set(header);
  const found: { named: BuiltInRecipe; matched: number }[] = [];
  for (const name of builtInNames) {
    const named = await builtInRecipe(name);
    const { detect = [], from } = named.recipe;
    const given = typeof from === 'object' ? from.header : undefined;
    const isIt = given
      ? given.length === header.length && isRow(header)
      : detect.length > 0 && detect.every((column) => [column].flat().some((one) => names.has(one)));
    if (isIt) found.push({ named, matched: given?.length ?? detect.length });
  }
  const [best, next] = found.sort((one, other) => other.matched - one.matched);
  return best && best.matched !== next?.matched ? best.named : undefined;
}
