import type { HashedUser } from '../../../src/contract/wire.ts';
import { createFingerprints } from '../../../src/migration/actions/fingerprints.ts';
import { readFacts } from '../../../src/migration/journal/database/job-facts.ts';
import { openJob } from '../../../src/migration/journal/reading/open-job.ts';

/** Gives the rows of a job, from the first, the fingerprints of an earlier version, which sent MD5 in capitals as the file had it. */
export async function keepCapitals(jobDirectory: string, md5: string, ...users: HashedUser[]): Promise<void> {
  const { connection } = await openJob(jobDirectory);
  const { ofValues } = createFingerprints(readFacts(connection).fingerprint_key ?? '');
  const digests = users.map((user) => {
    const { values, hash } = ofValues({
      ...user,
      'hash-pwd': { algorithm: 'md5', value: md5.toUpperCase() },
    });
    return `${values}${hash}`;
  });
  connection.prepare('UPDATE fingerprints SET digests = ? WHERE row = 1').run(digests.join(''));
  // The list has the rows of the next ones, too.
  connection.prepare('DELETE FROM fingerprints WHERE row BETWEEN 2 AND ?').run(users.length);
  connection.close();
}
