import { plannedKinds, type ReasonCode, reasons } from '../actions/reasons.ts';
import { zeros } from '../model/zeros.ts';
import type { DecidedRow } from '../owners/decide-rows.ts';
import { countPreview } from '../rows/preview-rows.ts';

const shownRows = 5;

/** Counts actions by kind and by reason, the rows, and the users to be created. `ignored`: columns of the file that are not read. */
export function createActionCounts(
  columns: Parameters<typeof countPreview>[0] = { ignored: [], missingStatus: [] },
) {
  const totals = zeros(plannedKinds);
  const found: { [Code in ReasonCode]?: number } = {};
  let isCreated = false;
  const people = countPreview(columns, undefined, () => isCreated);
  const fields: Record<string, number> = {};
  const invalid: string[] = [];
  let inPart = 0;
  const count = (reason: ReasonCode) => {
    totals[reasons[reason].kind] += 1;
    found[reason] = (found[reason] ?? 0) + 1;
  };
  const note = (row: number, code: string | undefined) => {
    if (invalid.length < shownRows) invalid.push(`row ${row}: ${code}`);
  };
  return {
    totals,
    reasons: found,
    count,
    /** The first rows that fail the checks or are KEY_CHANGED, each with its code. */
    invalid,
    people: people.preview,
    /** Number of updates by the field that they change. */
    fields,
    /** Number of updates that leave a field as it is, because the API cannot change it. */
    inPart: () => inPart,
    add(rows: readonly DecidedRow[]): void {
      for (const decided of rows) {
        isCreated = 'action' in decided && decided.action.kind === 'create';
        people.add([decided.row]);
        if (!('action' in decided)) {
          totals[decided.row.isSkipped ? 'skipped' : 'invalid'] += 1;
          if (!decided.row.isSkipped) note(decided.row.row, decided.row.issues[0]?.code);
        } else {
          const { reason, kind, unchangeable } = decided.action;
          count(reason);
          if (reason === 'KEY_CHANGED') note(decided.row.row, reason);
          const changed = kind === 'update' ? decided.action.fields : [];
          for (const field of changed) fields[field] = (fields[field] ?? 0) + 1;
          if (kind === 'update' && unchangeable.length > 0) inPart += 1;
        }
      }
    },
  };
}
