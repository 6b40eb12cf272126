import { plannedKinds, type ReasonCode, reasons } from '../actions/reasons.ts';
import { zeros } from '../model/zeros.ts';
import type { DecidedRow } from '../owners/decide-rows.ts';
import type { Columns } from '../rows/columns.ts';
import { countPreview } from '../rows/preview-rows.ts';

/** Counts actions by kind and by reason, and previews the users to be created. `ignored`: columns of the file that are not read. */
export function createCounts(columns: Pick<Columns, 'ignored'> = { ignored: [] }) {
  const totals = zeros(plannedKinds);
  const found: { [Code in ReasonCode]?: number } = {};
  const people = countPreview(columns, undefined);
  const count = (reason: ReasonCode, by = 1) => {
    totals[reasons[reason].kind] += by;
    found[reason] = (found[reason] ?? 0) + by;
  };
  return {
    totals,
    reasons: found,
    count,
    people: people.preview,
    add(rows: readonly DecidedRow[]): void {
      for (const decided of rows) {
        if (!('action' in decided)) totals[decided.row.isSkipped ? 'skipped' : 'invalid'] += 1;
        else {
          count(decided.action.reason);
          if (decided.action.kind === 'create') people.add([decided.row]);
        }
      }
    },
  };
}
