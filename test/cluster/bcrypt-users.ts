import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goodHashes } from '../migration/hashes.ts';
import { temporaryDirectory } from '../world.ts';

/**
 * Writes a file of this many users with hashes of bcrypt, which `serve` does not wrap: it would hash every other one with
 * Argon2id in each quiet moment, on all nodes.
 */
export async function writeBcryptUsers(rows: number): Promise<string> {
  const file = join(await temporaryDirectory(), 'users.csv');
  const users = Array.from({ length: rows }, (_, at) => `legacy-${at},bcrypt,${goodHashes.bcrypt}`);
  writeFileSync(file, ['user_name,algorithm,hash', ...users].join('\n'));
  return file;
}
