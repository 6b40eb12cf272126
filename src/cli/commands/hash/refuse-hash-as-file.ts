import { existsSync } from 'node:fs';
import { UsageError } from '../../errors/errors.ts';

/** Throws a `UsageError` if the name of a missing file looks like a hash itself. */
export async function refuseHashAsFile(file: string): Promise<void> {
  const { identify } = await import('../../../migration/hashes/identify.ts');
  if (identify(file).kinds.length === 0 || existsSync(file)) return;
  throw new UsageError(
    'expected a file name, but got a hash',
    'Put the hash in a file or on standard input: other users can see arguments, and the shell keeps them in its history.',
  );
}
