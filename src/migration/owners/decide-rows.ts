import type { User } from '../../contract/wire.ts';
import {
  type DecisionOptions,
  decide,
  type OwnersByKey,
  type RowAction,
  severalRows,
} from '../actions/decide.ts';
import type { InvalidRow, ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { OwnerSource } from './owner-source.ts';

/** A row and what is to be done for it; of an invalid row nothing is. */
export type DecidedRow = { row: ValidRow; action: RowAction; person?: User } | { row: InvalidRow };

/** Decides every row of the lists, in their order. */
export async function* decideRows(
  lists: AsyncGenerator<readonly ValidatedRow[], void>,
  source: OwnerSource,
  options: DecisionOptions,
): AsyncGenerator<DecidedRow[], void> {
  const { by } = options;
  const key = by === 'identity' || by === 'anyKey' ? undefined : by;
  for await (const rows of lists) {
    const valid = rows.filter((row) => row.user !== undefined);
    const owners = await source.find(
      valid.map(({ user }) => user),
      key,
    );
    let at = 0;
    yield rows.map((row): DecidedRow => {
      if (row.user === undefined) return { row };
      const found: OwnersByKey = owners[at] ?? new Map();
      at += 1;
      const isDisabled = row.isDisabled === true;
      const action = decide(row.user, found, { ...options, isDisabled });
      const person = [...found.values()].flat().find(({ user_id: id }) => id === action.userId);
      if (person === undefined) return { row, action };
      return { row, action: source.claim(person) ? action : severalRows(action), person };
    });
  }
}
