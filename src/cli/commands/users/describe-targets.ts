import type { Client } from '../../../client/client.ts';
import { embeddedService } from '../../embed.ts';
import { readSettings } from '../../settings.ts';
import type { Session } from '../../world.ts';

/** More than these are counted only. */
const mostNamed = 5;

/** Lines that say where, and of whom, something is about to be done: the first few users by id and name. */
export async function describeTargets(
  session: Session,
  client: Client,
  targets: readonly string[],
): Promise<string> {
  const named = await Promise.all(targets.slice(0, mostNamed).map((id) => describe(client, id)));
  const rest = targets.length - named.length;
  const lines = [...named, ...(rest > 0 ? [`… and ${rest} more`] : [])];
  return `${tenantOf(session)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function tenantOf(session: Session): string {
  const { local, baseUrl, profileName, profile } = readSettings(session);
  const where = local ? embeddedService(local.value) : (baseUrl?.value ?? '');
  const isProfiles = profile && (local ?? baseUrl)?.origin === 'profile';
  return `On ${where}${isProfiles ? `, profile ${JSON.stringify(profileName.value)}` : ''}:`;
}

/** A user who cannot be found is told as such: disabling will say so too. */
async function describe(client: Client, id: string): Promise<string> {
  try {
    const { user_name, name } = await client.getUser(id);
    return [id, user_name, name].filter(Boolean).join('  ');
  } catch (failure) {
    const { describeFailure } = await import('../../describe-failure.ts');
    return `${id}  (${describeFailure(failure).message})`;
  }
}
