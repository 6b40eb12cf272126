import type { Client } from '../../client/client.ts';
import { type Completeness, listAllUsers } from '../../client/list-all-users.ts';
import { pageLimits } from '../../contract/operations.ts';
import type { LearnedDefinition } from './learned-definition.ts';
import { proposeDefinition } from './propose-definition.ts';
import { surveyUsers } from './survey-users.ts';

/** Options of `learnDefinition`. */
interface LearnOptions {
  withValues: boolean;
  /** Called after each page. */
  onProgress(progress: Completeness): void;
}

/** A draft of a tenant's rules, and whether all users were read for it. */
export interface Learned {
  definition: LearnedDefinition;
  listing: Completeness;
}

/**
 * Reads every user of a tenant once, and drafts rules that all of them meet. Only lists users: nothing is tried on the tenant.
 * Rejects with the error of the page that failed.
 */
export async function learnDefinition(
  client: Pick<Client, 'listUsers'>,
  { withValues, onProgress }: LearnOptions,
): Promise<Learned> {
  const surveyor = await surveyUsers();
  try {
    const listing = listAllUsers(client, { limit: pageLimits.max });
    for await (const users of listing.pages) {
      surveyor.add(users);
      onProgress(listing.completeness());
    }
    const end = listing.completeness();
    const definition = proposeDefinition(surveyor.survey(), { isComplete: end.complete, withValues });
    return { definition, listing: end };
  } finally {
    surveyor.close();
  }
}
