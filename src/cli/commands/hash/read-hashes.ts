import { existsSync } from 'node:fs';
import { UsageError } from '../../failures.ts';
import { readText } from '../../read-input.ts';
import type { Session } from '../../world.ts';

/** Reads a file of hashes, or standard input for `-`. A hash in the place of the file's name is not repeated. */
export async function readHashes(session: Session, file: string): Promise<string> {
  await refuseHashAsFile(file);
  return readText(session, file);
}

/** Throws a `UsageError` where a file is named that is not there, by a name that is a hash itself. */
export async function refuseHashAsFile(file: string): Promise<void> {
  const { identify } = await import('../../../migration/proof/identify.ts');
  if (identify(file).kinds.length === 0 || existsSync(file)) return;
  throw new UsageError(
    'a hash was given where the name of a file is expected',
    'Give the hash in a file or on standard input: arguments can be seen by others, and stay in the history of the shell.',
  );
}
