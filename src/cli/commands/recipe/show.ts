import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../../context/context.ts';
import { namedBuiltIn } from '../../input/recipe-option.ts';
import { show, wantsFields, write } from '../../output/show.ts';

/** tenant-users recipe show */
export function addRecipeShow(parent: Command, context: CommandContext): void {
  parent
    .command('show')
    .description('Print a built-in recipe, to use or to change')
    .argument('<name>', 'name of the recipe, see recipe list')
    .addHelpText(
      'after',
      `
Examples:
  $ tenant-users recipe show wordpress
  $ tenant-users recipe show django > mine.yaml`,
    )
    .action(async (given) => {
      const { name, recipe } = await namedBuiltIn(given);
      const { builtInText } = await import('../../../migration/recipes/built-in.ts');
      const text = await builtInText(name);
      if (!wantsFields(context)) return write(context.stdout, text);
      return show(context, { rows: [{ name, recipe, text }], columns: ['name', 'text'] });
    });
}
