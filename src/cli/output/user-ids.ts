import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { pathIn } from '../../migration/directory/job-files.ts';
import { userResults } from '../../migration/model/outcome.ts';
import type { Summary } from '../../migration/model/summary.ts';
import { formatCount } from '../../text/format-count.ts';
import type { CommandContext } from '../context/context.ts';
import { linesFor, show } from './show.ts';

/** Prints the ids of the users whom a run lists in `users.csv`, a line each, and on stderr how many rows have none there. */
export async function printUserIds(context: CommandContext, summary: Summary): Promise<void> {
  const { job, rows, skipped } = summary;
  const users: object[] = parse(await readFile(pathIn(job, 'users.csv')), { columns: true });
  await show(context, { rows: users, columns: ['user_id'], id: 'user_id' });
  const left = userResults.reduce((sum, result) => sum - (summary[result] ?? 0), rows - skipped);
  if (left === 0) return;
  const text = `tenant-users: ${formatCount(left, 'row')} not done. Details: ${pathIn(job, 'failures.csv')}`;
  context.stderr.write(`${linesFor(context, text)}\n`);
}
