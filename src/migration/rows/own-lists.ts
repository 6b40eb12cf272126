import { SourceError } from '../model/errors.ts';
import type { PreparedSource } from './prepared-source.ts';

interface OwnList {
  of: string;
  columns: readonly string[];
  hint: string;
  /** True if commands that create nobody may read whom they are about from it. */
  hasUsers?: true;
}

/** Our own lists, by columns that no file of users has, and what to do instead of creating the users whose names they have. */
const ownLists: Readonly<Record<string, OwnList>> = {
  'failures.csv': {
    of: 'a job',
    columns: ['row', 'line', 'code', 'message', 'hint'],
    hint: 'Correct the rows in the file that was imported, and run its import again with --only failed.',
  },
  'users.csv': {
    of: 'a job',
    columns: ['row', 'user_id', 'result', 'found_by_look_up'],
    hint: 'These people are users already: name the file that was imported.',
    hasUsers: true,
  },
  'missing.csv': {
    of: 'a comparison',
    columns: ['row', 'line', 'user_name', 'external_id', 'job', 'code'],
    hint: 'It has no other values of these people: make a plan with the file that was compared.',
    hasUsers: true,
  },
};

/**
 * Throws a `SourceError` for such a list, of which each row would create a user with little more than a name. `isCreating`: whether the
 * command creates users.
 */
export function refuseOwnList(
  { file, header: { cells, line } }: Pick<PreparedSource, 'file' | 'header'>,
  isCreating: boolean,
): void {
  for (const [name, { of, columns, hint, hasUsers }] of Object.entries(ownLists))
    if ((isCreating || !hasUsers) && columns.every((column) => cells.includes(column)))
      throw new SourceError(
        file,
        `this is the ${name} of ${of}, not a file of users`,
        line,
        `Nothing was sent. ${hint}`,
      );
}
