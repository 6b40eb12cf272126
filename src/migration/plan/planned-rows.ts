import type { HashedUser } from '../../contract/wire.ts';
import type { Fingerprints, RowFingerprint } from '../actions/fingerprints.ts';
import { PlanError } from '../model/errors.ts';
import type { ValidatedRow } from '../rows/validate-rows.ts';
import type { RunControlOptions } from '../send/call-api.ts';
import { inPages } from './document/action-lines.ts';
import type { ActionLine } from './document/plan-schemas.ts';

/**
 * Throws a `PlanError` unless each row is read as it was when the plan was made, which another version of the program may do
 * differently. Checks all rows before any is sent: half a plan could never be completed. `total`: rows of the file, for the progress.
 */
export async function requireSameRows(
  rows: AsyncGenerator<readonly ValidatedRow[], void>,
  lines: AsyncGenerator<ActionLine, void>,
  fingerprints: Fingerprints,
  { signal, onStep, total }: Pick<RunControlOptions, 'signal' | 'onStep'> & { total: number },
): Promise<void> {
  let done = 0;
  try {
    for await (const list of rows) {
      signal?.throwIfAborted();
      for (const read of list) {
        const { row } = read;
        const { value: line } = await lines.next();
        // The line of a row that was invalid or left out has no fingerprints.
        const now: Partial<RowFingerprint> = read.user ? fingerprints.ofRow(read.user, read.isDisabled) : {};
        const isSame = (name: keyof RowFingerprint) => line?.[name] === now[name];
        if (line?.row === row && isSame('values') && isSame('hash') && isSame('key')) continue;
        throw new PlanError(
          'PLAN_MAPPING',
          `row ${row} is not read as the plan read it`,
          'Make the plan again with this version of the program.',
        );
      }
      done += list.length;
      onStep?.({ what: 'rows compared with the plan', done, total });
    }
  } finally {
    await rows.return();
    await lines.return();
  }
}

/**
 * Pairs the rows of a file with the actions of its plan, in order. The users who are in no row follow as rows with further numbers.
 * `early`: actions of rows that are needed before their turn.
 */
export function pairRows(
  rows: AsyncGenerator<readonly ValidatedRow[], void>,
  lines: AsyncGenerator<ActionLine, void>,
  early: ReadonlyMap<number, ActionLine> = new Map(),
) {
  const actions = new Map(early);
  return {
    lists: combined(rows, lines, actions),
    /** Returns the action of a row that has been read. */
    peek: (row: number) => actions.get(row),
    /** Returns the action of a row and forgets it. */
    take(row: number): ActionLine | undefined {
      const line = actions.get(row);
      actions.delete(row);
      return line;
    },
  };
}

async function* combined(
  rows: AsyncGenerator<readonly ValidatedRow[], void>,
  lines: AsyncGenerator<ActionLine, void>,
  actions: Map<number, ActionLine>,
): AsyncGenerator<readonly ValidatedRow[], void> {
  let last = 0;
  try {
    for await (const list of rows) {
      for (const row of list) {
        const { value: line } = await lines.next();
        if (line?.row !== row.row) throw new TypeError(`row ${row.row} has no action`);
        actions.set(row.row, line);
        last = row.row;
      }
      yield list;
    }
    for await (const others of inPages(lines)) {
      yield others.map((line) => {
        last += 1;
        actions.set(last, line);
        return { row: last, line: 0, user: namesOf(line) };
      });
    }
  } finally {
    await rows.return();
    await lines.return();
  }
}

/** Returns the names in an action; only a plan with values has them. */
function namesOf({ user_name, external_id }: ActionLine): HashedUser {
  return {
    ...(user_name === undefined ? {} : { user_name }),
    ...(external_id === undefined ? {} : { external_id }),
  };
}
