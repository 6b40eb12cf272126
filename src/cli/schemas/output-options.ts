import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { formatOf, refuseUnknown } from '../output/show.ts';

/** Commands whose columns in some formats are not the fields of their JSON, by path. */
const flatColumns: { [Path in string]?: { columns: readonly string[]; formats: readonly string[] } } = {
  'hash identify': {
    columns: ['line', 'algorithm', 'format', 'sure', 'use', 'damage'],
    formats: ['table', 'csv', 'tsv'],
  },
  'profiles list': { columns: ['name', 'service', 'client_id', 'current', 'token'], formats: ['table'] },
};

/** Throws `UsageError` for output options that contradict each other, before the command does anything. */
export async function checkOutputOptions(
  context: CommandContext,
  path: string,
  { csv }: { csv?: unknown } = {},
): Promise<void> {
  const { json, output, outputFile, columns } = context.options;
  if (json && output !== undefined && output !== 'json') {
    throw new UsageError(`--json and --output ${output} cannot be used together`, 'Use only one of them.');
  }
  if (outputFile !== undefined && path === 'serve') {
    throw new UsageError('serve has no result for --output-file', 'Redirect what it prints: > FILE');
  }
  if (path === 'serve' && (columns || !['table', 'json'].includes(formatOf(context)))) {
    const option = columns ? '--columns' : `--output ${output}`;
    throw new UsageError(`serve has no result for ${option}`, 'For a document, use --json.');
  }
  if (!columns) return;
  const { fieldsOf } = await import('./schema-document.ts');
  const flat = flatColumns[path];
  const isFlat = flat?.formats.includes(formatOf(context));
  refuseUnknown(columns, isFlat ? flat?.columns : await fieldsOf(path, csv !== undefined));
}
