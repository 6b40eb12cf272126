import type { TenantDefinition } from '../../service/tenant/definition.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { say } from '../output/show.ts';
import { invalidFile, nameOf, readText } from './read-input.ts';

/** Reads a tenant definition file, or standard input for `-`. Throws `UsageError` with every error and its path. */
export async function readDefinitionFile(context: CommandContext, file: string): Promise<TenantDefinition> {
  const text = await readText(context, file);
  const { definitionWarnings, readDefinition } = await import('../../service/tenant/read-definition.ts');
  const reading = readDefinition(text);
  const source = nameOf(file);
  if ('issues' in reading) {
    const hint = 'Nothing was applied. For a complete example: tenant-users tenant show --local :memory:';
    throw await invalidFile(source, 'a valid tenant definition', reading.issues, hint);
  }
  for (const warning of definitionWarnings(reading.value)) say(context, `Note on ${source}: ${warning}`);
  return reading.value;
}

/** Reads several files; throws `UsageError` as well when two define the same tenant. */
export async function readDefinitionFiles(context: CommandContext, files: string[]) {
  const fileOf = new Map<string, string>();
  const definitions: TenantDefinition[] = [];
  for (const file of files) {
    const definition = await readDefinitionFile(context, file);
    const other = fileOf.get(definition.tenant_id);
    if (other !== undefined) {
      throw new UsageError(
        `${other} and ${file} both define the tenant ${definition.tenant_id}`,
        'Give each file a tenant_id of its own.',
      );
    }
    fileOf.set(definition.tenant_id, file);
    definitions.push(definition);
  }
  return definitions;
}
