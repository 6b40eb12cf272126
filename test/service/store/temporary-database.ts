import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Path of a SQLite file that does not exist yet, in a directory which goes with the running test. */
export function temporaryDatabase(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-users-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'users.db');
}
