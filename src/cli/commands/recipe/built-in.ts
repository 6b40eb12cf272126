import type { AddCommand } from '../../context/context.ts';
import { namedBuiltIn } from '../../input/file-options.ts';
import { show, wantsFields, write } from '../../output/show.ts';

const listHelp = `
An import finds the recipe by the columns of the file; --from NAME names it, --from none uses none.

Example:
  $ tenant-users recipe list`;

export const addRecipeList: AddCommand = (parent, context) => {
  parent
    .command('list')
    .description('List the built-in recipes')
    .addHelpText('after', listHelp)
    .action(async () => {
      const { builtInNames, builtInRecipe } = await import('../../../migration/recipes/built-in.ts');
      const rows = await Promise.all(
        builtInNames.map(async (name) => ({ name, title: (await builtInRecipe(name)).recipe.title ?? '' })),
      );
      await show(context, { rows, list: { name: 'recipes' }, columns: ['name', 'title'] });
    });
};

const showHelp = `
Examples:
  $ tenant-users recipe show wordpress
  $ tenant-users recipe show django > mine.yaml`;

export const addRecipeShow: AddCommand = (parent, context) => {
  parent
    .command('show')
    .description('Print a built-in recipe, to use or to change')
    .argument('<name>', 'name of the recipe, see recipe list')
    .addHelpText('after', showHelp)
    .action(async (given) => {
      const { name, recipe } = await namedBuiltIn(given);
      const { builtInText } = await import('../../../migration/recipes/built-in.ts');
      const text = await builtInText(name);
      if (!wantsFields(context)) return write(context.stdout, text);
      return show(context, { rows: [{ name, recipe, text }], columns: ['name', 'text'] });
    });
};
