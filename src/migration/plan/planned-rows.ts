import type { HashedUser } from '../../contract/wire.ts';
import { PlanError } from '../model/errors.ts';
import type { ValidatedRow } from '../rows/validate-rows.ts';
import { inPages } from './action-lines.ts';
import type { ActionLine } from './plan-schemas.ts';

/** A stream of rows, with the action of each. */
export interface PlannedRows {
  lists: AsyncGenerator<readonly ValidatedRow[], void>;
  /** Returns the action of a row that has been read. */
  peek(row: number): ActionLine | undefined;
  /** Returns the action of a row and forgets it. */
  take(row: number): ActionLine | undefined;
}

/**
 * Pairs the rows of a file with the actions of its plan, in order. The users who are in no row follow as rows with further numbers.
 * `early`: actions of rows that are needed before their turn.
 */
export function planRows(
  rows: AsyncGenerator<readonly ValidatedRow[], void>,
  lines: AsyncGenerator<ActionLine, void>,
  early: ReadonlyMap<number, ActionLine> = new Map(),
): PlannedRows {
  const actions = new Map(early);
  return {
    lists: combined(rows, lines, actions),
    peek: (row) => actions.get(row),
    take(row) {
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
        const isLeft = line?.action === 'invalid' || line?.action === 'skipped';
        if (line?.row !== row.row || isLeft === (row.user !== undefined)) {
          throw new PlanError(
            'PLAN_MAPPING',
            `row ${row.row} is not read as the plan read it`,
            'Make the plan again with this version of the program.',
          );
        }
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
