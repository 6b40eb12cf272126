import type { Brake } from './brake.ts';
import type { CheckedRow, InvalidRow, ValidRow } from './checked-row.ts';
import type { Outcome } from './outcome.ts';

/**
 * Settles each row, at most `concurrency()` valid ones at the same time, and yields the outcomes as they come.
 * Pulled by its reader: while the books are written no row is taken. When the brake is pulled, or the source
 * fails, it takes no more rows and yields what is still under way. `settle` must not reject.
 */
export async function* settleRows(
  rows: AsyncGenerator<CheckedRow, void>,
  settle: (row: ValidRow) => Promise<Outcome>,
  concurrency: () => number,
  brake: Brake,
): AsyncGenerator<Outcome, void> {
  let settled: Outcome[] = [];
  let inFlight = 0;
  let open = true;
  let wake = () => {};

  async function launch(row: ValidRow): Promise<void> {
    inFlight += 1;
    const outcome = await settle(row);
    settled.push(outcome); // `settled` is read only now: while the row was on the wire it may have been replaced.
    inFlight -= 1;
    wake();
  }

  async function take(): Promise<void> {
    try {
      const next = await rows.next();
      if (next.done) open = false;
      else if (next.value.user) void launch(next.value);
      else settled.push(outcomeOfFindings(next.value));
    } catch (failure) {
      open = false;
      brake.stop(failure);
    }
  }

  const nextAnswer = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  try {
    for (;;) {
      if (settled.length > 0) {
        const ready = settled;
        settled = [];
        for (const outcome of ready) yield outcome;
      } else if (open && inFlight < concurrency() && !brake.isPulled()) await take();
      else if (inFlight > 0) await nextAnswer();
      else return;
    }
  } finally {
    // Reached early when the reader fails: the rows on the wire get their answers before the caller goes on.
    while (inFlight > 0) await nextAnswer();
    await rows.return();
  }
}

/** One line in the report: the first finding gives the code, the message tells all. */
function outcomeOfFindings({ row, line, userName, externalId, algorithm, findings }: InvalidRow): Outcome {
  const code = findings[0]?.code ?? '';
  const message = findings.map((f) => (f.column === undefined ? f.message : `${f.column}: ${f.message}`));
  const hint = findings.map((finding) => finding.hint);
  return {
    row,
    line,
    userName,
    externalId,
    algorithm,
    result: 'invalid',
    code,
    message: message.join('; '),
    hint: [...new Set(hint)].join(' '),
  };
}
