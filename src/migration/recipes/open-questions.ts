import { formatCount } from '../../text/format-count.ts';
import { SourceError } from '../model/errors.ts';
import type { NamedRecipe } from './recipe.ts';

/** Says how many questions of a recipe are open. */
export function describeOpen(open: number): string {
  return `${formatCount(open, 'question')} of the recipe ${open === 1 ? 'is' : 'are'} open`;
}

/** Throws a `SourceError` if questions of the recipe are open: nothing is imported or planned with it. */
export function refuseOpen(named: NamedRecipe | 'none' | undefined): void {
  if (typeof named !== 'object') return;
  const { name, recipe } = named;
  const open = recipe.open ?? [];
  if (open.length === 0) return;
  const lines = [`${describeOpen(open.length)}:`, ...open].join('\n  ');
  const hint = 'Nothing was sent. Decide each in the recipe, then delete it from open:.';
  throw new SourceError(name, lines, undefined, hint);
}

/** Warns of open questions whoever uses a recipe all the same, because nothing is sent or decided for a tenant. */
export function warnOfOpen(open: number): string {
  return `${describeOpen(open)}: no import and no plan before each is decided`;
}
