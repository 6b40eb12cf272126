import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathIn } from '../../migration/directory/job-files.ts';
import { errorCode } from '../../text/error-code.ts';

/** Finds a user in the records of runs. */
export interface RunSearch {
  /** Did the job in this directory create, update or disable the user? `undefined`: its list of users cannot be read. */
  has(directory: string): Promise<boolean | undefined>;
}

/** Looks into the `users.csv` of each directory once: what a run did to whom is there, and not in the log. */
export function searchRuns(userId: string): RunSearch {
  const known = new Map<string, Promise<boolean | undefined>>();
  return {
    has(directory) {
      const found = known.get(directory) ?? isChanged(pathIn(directory, 'users.csv'), userId);
      known.set(directory, found);
      return found;
    },
  };
}

async function isChanged(file: string, userId: string): Promise<boolean | undefined> {
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input })) {
      const [, after] = line.split(`,${userId},`, 2);
      if (after !== undefined && /^(?:created|updated|disabled)(?:,|$)/.test(after)) return true;
    }
    return false;
  } catch (failure) {
    if (errorCode(failure) === undefined) throw failure;
    return undefined;
  } finally {
    input.destroy();
  }
}
