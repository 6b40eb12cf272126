import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { count } from '../../contract/value-schemas.ts';
import { errorCode } from '../../text/error-code.ts';
import { pathIn } from '../directory/job-files.ts';
import { whileLocked } from '../directory/lock-directory.ts';
import { replaceFile } from '../directory/replace-file.ts';
import { JobDirectoryError } from '../model/errors.ts';

/** The file with all looks of a cut-over, which together are one watch. It contains counts only, and names no users. */
const storedLooks = v.strictObject({
  version: v.literal(1),
  /** When the first run of the job began, in epoch milliseconds. */
  begun: v.number(),
  looks: v.array(
    v.strictObject({
      at: v.string(),
      /** Members who have logged in at least once, and who never have, but could. */
      algorithms: v.array(v.strictObject({ algorithm: v.string(), logged_in: count, never: count })),
    }),
  ),
});

export type Look = v.InferOutput<typeof storedLooks>['looks'][number];

/** Returns the earlier looks of a job; none if it was started over since. Throws a `JobDirectoryError` if the file is damaged. */
export function readLooks(directory: string, begun: number): Look[] {
  let text: string;
  try {
    text = readFileSync(pathIn(directory, 'cutover.json'), 'utf8');
  } catch (failure) {
    if (errorCode(failure) === 'ENOENT') return [];
    throw failure;
  }
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), storedLooks), text);
  if (!read.success) {
    throw new JobDirectoryError(
      directory,
      'its cutover.json is damaged',
      'Remove that file: a new watch begins.',
    );
  }
  return read.output.begun === begun ? read.output.looks : [];
}

/**
 * Adds a look to those of the job, whichever command made them, and resolves to all. A look adds nothing if nobody has logged in
 * since the last one. Rejects with a `JobDirectoryError`.
 */
export function addLook(directory: string, begun: number, look: Look): Promise<Look[]> {
  return whileLocked(directory, async () => {
    const looks = readLooks(directory, begun);
    if (loginsOf(look) <= loginsOf(looks.at(-1))) return looks;
    looks.push(look);
    const text = `${JSON.stringify({ version: 1, begun, looks })}\n`;
    await replaceFile(pathIn(directory, 'cutover.json'), text);
    return looks;
  });
}

function loginsOf(look: Look | undefined): number {
  return look?.algorithms.reduce((sum, { logged_in: now }) => sum + now, 0) ?? 0;
}
