import { release } from 'node:os';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { Canary } from '../../migration/canaries/read-canaries.ts';
import { StoppedError } from '../../migration/model/errors.ts';
import { temporaryDatabase } from '../../text/database-location.ts';
import type { CommandContext } from '../context/context.ts';
import { readDefinitionFile } from '../input/tenant-definition.ts';
import { say } from '../output/show.ts';
import { openClient } from './connect.ts';
import { embed } from './embedded-service.ts';

/** Makes a tenant for one rehearsal, as the definition says or as the built-in one is; it is gone with the command. */
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

const device = { operating_sys_version: release(), device_ip: '127.0.0.1', device_fingerprint: 'rehearsal' };

/** Logs every canary in, with the old password, and says who must change it first. Throws a `StoppedError` that names those who cannot, by their lines. */
export async function logInCanaries(
  context: CommandContext,
  client: Client,
  name: string,
  canaries: readonly Canary[],
) {
  const refused: string[] = [];
  let mustChange = 0;
  for (const { line, userName, password } of canaries) {
    context.signal.throwIfAborted();
    try {
      const { status } = await client.logIn(userName, password, device);
      if (status !== 'SUCCESS') mustChange += 1;
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      refused.push(`line ${line}: ${failure.message}`);
    }
  }
  if (refused.length > 0) {
    const message = `${refused.length} of ${canaries.length} canaries cannot log in to the rehearsal (${name}, ${refused.join('; ')})`;
    throw new StoppedError(
      'CANARY_FAILED',
      message,
      'See failures.csv: the row of a canary may have been rejected.',
    );
  }
  say(context, describeLogins(canaries.length, mustChange));
}

/** A password that is accepted opens no session as long as it must be changed. */
function describeLogins(all: number, mustChange: number): string {
  if (mustChange === 0) return `${all} of ${all} canaries logged in with their old passwords`;
  const who = mustChange < all ? `${mustChange}` : all === 1 ? 'it' : `all ${all}`;
  return `${all} of ${all} passwords accepted, ${who} must be changed first (pwd_must_modify)`;
}
