import { SourceError } from '../model/errors.ts';
import type { PreparedSource } from './prepared-source.ts';

/** Our own lists, by columns that no file of users has, and what to do with each: they have names of users. */
const ownLists = {
  'failures.csv': {
    columns: ['row', 'line', 'code', 'message', 'hint'],
    hint: 'Nothing was sent. Correct the rows in the file that was imported, and run its import again with --only failed.',
  },
  // Other commands may read whom they are about from it.
  'users.csv': {
    columns: ['row', 'user_id', 'result', 'found_by_look_up'],
    hint: 'Nothing was sent. These people are users already: name the file that was imported.',
  },
} as const;

/** Throws a `SourceError` for such a list of a job, of which each row would create a user with little more than a name. */
export function refuseOwnList(
  { file, header: { cells, line } }: Pick<PreparedSource, 'file' | 'header'>,
  name: keyof typeof ownLists,
): void {
  const { columns, hint } = ownLists[name];
  if (columns.every((column) => cells.includes(column)))
    throw new SourceError(file, `this is the ${name} of a job, not a file of users`, line, hint);
}
