import type { Client } from '../../client/client.ts';
import { temporaryDatabase } from '../../text/database-location.ts';
import type { CommandContext } from '../context/context.ts';
import { readDefinitionFile } from '../input/tenant-definition.ts';
import { say } from '../output/show.ts';
import { openClient } from './connect.ts';
import { embed } from './embedded-service.ts';

/** Creates a tenant for one rehearsal, by the definition file or the built-in definition. It is deleted when the command ends. */
export async function openRehearsal(
  context: CommandContext,
  definitionFile: string | undefined,
  connections: number,
): Promise<Client> {
  const definition =
    definitionFile === undefined ? undefined : await readDefinitionFile(context, definitionFile);
  const target = await embed(context, temporaryDatabase, definition && [definition]);
  const whose = definitionFile === undefined ? 'built-in definition; use --tenant for yours' : definitionFile;
  say(context, `Rehearsal in a temporary tenant (${whose}); nothing is sent to any other service`);
  return openClient(context, { ...target, connections });
}
