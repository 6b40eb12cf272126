import { createClient } from '../src/client/client.ts';
import { type ImportOptions, importUsers } from '../src/migration/import-users.ts';
import type { JobResult } from '../src/migration/open-run.ts';

/**
 * Imports into a service as the application `bench`; throws the reason if the run stopped. One module contains client
 * and import, so that they share the classes of failures.
 */
export async function importInto(
  baseUrl: string,
  options: Omit<ImportOptions, 'target' | 'version'>,
): Promise<JobResult> {
  const client = createClient({ baseUrl, clientId: 'bench', clientSecret: 'bench', connections: 256 });
  try {
    await client.obtainToken();
    const result = await importUsers(client.withoutRetries(), {
      target: { base_url: baseUrl },
      version: 'bench',
      ...options,
    });
    if (result.stoppedBy) throw result.stoppedBy;
    return result;
  } finally {
    await client.close();
  }
}
