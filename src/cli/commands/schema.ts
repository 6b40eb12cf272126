import { Option } from '@commander-js/extra-typings';
import type { AddCommand } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { show, showDocument } from '../output/show.ts';

const help = `
Schemas are JSON Schema 2020-12. New versions add fields to the output but never remove any. "error"
is the line that a failed command prints on stderr with --json, "recipe" a file that --recipe reads.

Examples:
  $ tenant-users schema users list > users-list.schema.json
  $ tenant-users schema list --line
  $ tenant-users schema error
  $ tenant-users schema --tree | jq '.commands[].path'
  $ tenant-users schema recipe > recipe.schema.json
  $ tenant-users schema                       list all schemas`;

export const addSchema: AddCommand = (parent, context) => {
  parent
    .command('schema')
    .description('Print the JSON Schema of what a command prints with --json')
    .argument('[command...]', 'command such as users list, error, or recipe (default: list all schemas)')
    .option('--line', 'schema of one line of -o jsonl')
    .addOption(
      new Option('--tree', 'print every command, option and exit code as one document').conflicts('line'),
    )
    .addHelpText('after', help)
    .action(async (words, { line, tree }) => {
      if (tree) {
        if (words.length > 0) throw new UsageError('--tree takes no command', 'It has all of them.');
        const { commandTree } = await import('../schemas/command-tree.ts');
        return showDocument(context, commandTree(parent));
      }
      const { schemaDocument, schemaId, schemaNames, shapesOf } = await import(
        '../schemas/schema-document.ts'
      );
      if (words.length > 0) {
        const schema = await schemaDocument(words, line ? 'line' : 'document');
        return showDocument(context, schema);
      }
      const rows = schemaNames().map((command) => ({
        command,
        title: shapesOf(command)?.title ?? '',
        id: schemaId(command, 'document'),
      }));
      const columns = ['command', 'title', 'id'];
      return show(context, { rows, list: { name: 'schemas' }, columns });
    });
};
