import type { CommandContext } from '../context/context.ts';
import { requireYes } from '../input/prompts.ts';

const consequence = `Warning: only serve reaches the users of a database of several tenants. --local no longer does, so jobs
that were imported with it can be neither resumed nor undone.`;

/**
 * Asks before the tenants `ids` make a database of one tenant one of several. Throws a `UsageError` if the answer is no. `refused`: what
 * then did not happen.
 */
export async function askBeforeSecondTenant(
  context: CommandContext,
  location: string,
  ids: readonly string[],
  refused: string,
): Promise<void> {
  const { storedTenants } = await import('../../service/admin/definitions.ts');
  // A database that cannot be read is reported by what writes to it.
  const [only, ...others] = await storedTenants(location).catch(() => []);
  const added = ids.filter((id) => id !== only);
  if (only === undefined || others.length > 0 || added.length === 0) return;
  await requireYes(
    context,
    `Add a second tenant, ${added.join(', ')}, beside ${only}?`,
    refused,
    consequence,
  );
}
