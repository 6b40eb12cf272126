import type { AddCommand } from '../../context/context.ts';
import { show } from '../../output/show.ts';

const help = `
An import finds the recipe by the columns of the file; --from NAME names it, --from none uses none.

Example:
  $ tenant-users recipe list`;

export const addRecipeList: AddCommand = (parent, context) => {
  parent
    .command('list')
    .description('List the built-in recipes')
    .addHelpText('after', help)
    .action(async () => {
      const { builtInNames, builtInRecipe } = await import('../../../migration/recipes/built-in.ts');
      const rows = await Promise.all(
        builtInNames.map(async (name) => ({ name, title: (await builtInRecipe(name)).recipe.title ?? '' })),
      );
      await show(context, { rows, list: { name: 'recipes' }, columns: ['name', 'title'] });
    });
};
