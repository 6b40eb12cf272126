import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { pathIn } from '../../migration/directory/job-files.ts';
import type { Summary } from '../../migration/model/summary.ts';
import { inPages } from '../../migration/plan/document/action-lines.ts';
import type { NextStep } from '../../migration/report/texts/advice.ts';
import type { CommandContext } from '../context/context.ts';
import { sayBesideIds, show } from './show.ts';

/**
 * Prints the ids of the users whom a run lists in `users.csv`, a line each, and on stderr what is left to do, and where it is listed.
 * `isCreate`: only of those whom it created, since whoever was there before is somebody else's user.
 */
export async function printUserIds(
  context: CommandContext,
  { job }: Summary,
  advice: readonly NextStep[],
  isCreate: boolean,
) {
  const rows = userIds(pathIn(job, 'users.csv'), isCreate);
  await show(context, { rows, columns: ['user_id'], id: 'user_id' });
  // The run is over: nothing can cut the list short.
  context.hasResult = true;
  if (advice.length === 0) return;
  sayBesideIds(context, `${advice.map((step) => step.text).join(' ')} Directory: ${job}`);
}

/** The users of a file in pages, since there may be millions; of their columns only the id. */
function userIds(file: string, isCreate: boolean): AsyncGenerator<object[]> {
  const isRead = (name: string) => name === 'user_id' || name === 'result';
  const columns = (names: string[]) => names.map((name) => (isRead(name) ? name : false));
  const on_record = ({ user_id, result }: Record<string, string>) =>
    isCreate && result !== 'created' ? null : { user_id };
  // A fault of either stream ends the loop.
  return inPages(pipeline(createReadStream(file), parse({ columns, on_record }), () => {}));
}
