import type { AddCommand } from '../../context/context.ts';
import { readDefinitionFile } from '../../input/tenant-definition.ts';
import { say, show, wantsFields, write } from '../../output/show.ts';

const help = `
Delete the columns that you do not need: an empty cell leaves the attribute out. With -o table or
--json it says what belongs in each column.

Examples:
  $ tenant-users template > users.csv
  $ tenant-users template --tenant acme.json > users.csv
  $ tenant-users template -o table`;

export const addTemplate: AddCommand = (parent, context) => {
  parent
    .command('template')
    .description('Print an empty CSV file for an import: a header with every column')
    .option('--tenant <file>', 'file with the tenant definition, to add its extension attributes')
    .addHelpText('after', help)
    .action(async ({ tenant }) => {
      const definition = tenant === undefined ? undefined : await readDefinitionFile(context, tenant);
      const { describeColumns } = await import('../../../migration/rows/fields/fields.ts');
      const columns = describeColumns([...(definition?.extension.keys() ?? [])]);
      if (context.options.output !== undefined || wantsFields(context)) {
        await show(context, { rows: columns, list: { name: 'columns' }, columns: ['name', 'holds'] });
      } else {
        const { stringify } = await import('csv-stringify/sync');
        await write(context.stdout, stringify([columns.map(({ name }) => name)]));
      }
      if (tenant === undefined) {
        say(
          context,
          'Extension attributes of your tenant are columns extension.KEY; --tenant FILE adds them.',
        );
      }
    });
};
