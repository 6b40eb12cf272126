import type { TenantDefinition } from '../../service/tenant/definition.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { say } from '../output/show.ts';
import { faultyFile, nameOf, readText } from './read-input.ts';

/** Reads a tenant definition file, or standard input for `-`. Throws `UsageError` with every fault and its path. */
export async function readDefinitionFile(session: CommandContext, file: string): Promise<TenantDefinition> {
  const text = await readText(session, file);
  const { readDefinition } = await import('../../service/tenant/read-definition.ts');
  const reading = readDefinition(text);
  const source = nameOf(file);
  if ('faults' in reading) {
    const hint = 'Nothing was applied. For a complete example: tenant-users tenant show';
    throw await faultyFile(source, 'not a valid tenant definition', reading.faults, hint);
  }
  const { definitionWarnings } = await import('../../service/tenant/read-definition.ts');
  for (const doubt of definitionWarnings(reading.definition)) say(session, `Note on ${source}: ${doubt}`);
  return reading.definition;
}

/** Reads several files; throws `UsageError` as well when two define the same tenant. */
export async function readDefinitionFiles(
  session: CommandContext,
  files: string[],
): Promise<TenantDefinition[]> {
  const fileOf = new Map<string, string>();
  const definitions: TenantDefinition[] = [];
  for (const file of files) {
    const definition = await readDefinitionFile(session, file);
    const other = fileOf.get(definition.tenantId);
    if (other !== undefined) {
      throw new UsageError(
        `${other} and ${file} both define the tenant ${definition.tenantId}`,
        'Give each file a tenant_id of its own.',
      );
    }
    fileOf.set(definition.tenantId, file);
    definitions.push(definition);
  }
  return definitions;
}
