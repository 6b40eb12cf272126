import type { AddCommand } from '../../context/context.ts';
import { namedBuiltIn } from '../../input/recipe-option.ts';
import { show, wantsFields, write } from '../../output/show.ts';

const help = `
Examples:
  $ tenant-users recipe show wordpress
  $ tenant-users recipe show django > mine.yaml`;

export const addRecipeShow: AddCommand = (parent, context) => {
  parent
    .command('show')
    .description('Print a built-in recipe, to use or to change')
    .argument('<name>', 'name of the recipe, see recipe list')
    .addHelpText('after', help)
    .action(async (given) => {
      const { name, recipe } = await namedBuiltIn(given);
      const { builtInText } = await import('../../../migration/recipes/built-in.ts');
      const text = await builtInText(name);
      if (!wantsFields(context)) return write(context.stdout, text);
      return show(context, { rows: [{ name, recipe, text }], columns: ['name', 'text'] });
    });
};
