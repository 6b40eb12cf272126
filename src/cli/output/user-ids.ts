import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { parse } from 'csv-parse';
import { pathIn } from '../../migration/directory/job-files.ts';
import type { Summary } from '../../migration/model/summary.ts';
import { inPages } from '../../migration/plan/action-lines.ts';
import type { NextStep } from '../../migration/report/advice.ts';
import type { CommandContext } from '../context/context.ts';
import { linesFor, show } from './show.ts';

/** Prints the ids of the users whom a run lists in `users.csv`, a line each, and on stderr what is left to do, and where it is listed. */
export async function printUserIds(context: CommandContext, { job }: Summary, advice: readonly NextStep[]) {
  await show(context, { rows: userIds(pathIn(job, 'users.csv')), columns: ['user_id'], id: 'user_id' });
  // The run is over: nothing can cut the list short.
  context.hasResult = true;
  if (advice.length === 0) return;
  const text = `tenant-users: ${advice.map((step) => step.text).join(' ')} Directory: ${job}`;
  context.stderr.write(`${linesFor(context, text)}\n`);
}

/** The users of a file in pages, since there may be millions; of their columns only the id. */
function userIds(file: string): AsyncGenerator<object[]> {
  const columns = (names: string[]) => names.map((name) => (name === 'user_id' ? name : false));
  // A fault of either stream ends the loop.
  return inPages(pipeline(createReadStream(file), parse({ columns }), () => {}));
}
