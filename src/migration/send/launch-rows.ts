import type { Canary } from '../canaries/read-canaries.ts';
import type { Outcome } from '../model/outcome.ts';
import { describeIssues } from '../rows/issues/issues.ts';
import type { InvalidRow, ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { pendingRow } from './import-row.ts';

/** The rows of a job, and what a run does with each. */
export interface JobRows {
  rows: AsyncGenerator<readonly ValidatedRow[], void>;
  /** Returns the row to run; `undefined` leaves it out. Called in the order of the rows, just before each is run. */
  select: (row: ValidatedRow) => ValidatedRow | undefined;
  /** Rejects only because of a defect: then the row may have been sent, and the circuit breaker opens. */
  runRow: (row: ValidRow) => Promise<Outcome>;
  /** Returns what a row must wait for before it is run, if anything; meanwhile it does not count as in flight. */
  held?: (row: ValidRow) => Promise<void> | undefined;
  /** Milliseconds until the last of these rows is run. */
  heldFor?: () => number;
  /** False if nothing is sent: valid rows stay pending. */
  isSending: boolean;
  /** True for a row that is sent before its turn, or only looked up, so that it does not show how far the run has come. */
  isEarly: (row: number) => boolean;
  /** True for an outcome that says something about the service. */
  isWatched: (outcome: Outcome) => boolean;
  /** Returns false for a row for which nothing is sent: a ramp does not count it. */
  isSent: (row: ValidatedRow) => boolean;
  /** Number of rows that `isSent` counts, of which a stage of a ramp may be a fraction; all rows if it is not known. */
  toSend?: number | undefined;
  /** Rows of canaries that a ramp sends first. */
  canaries?: ReadonlyMap<Canary, ValidRow> | undefined;
}

/** Most rows that wait at the same time: in a corrected file each row may have to, and a million would not fit into memory. */
const mostWaiting = 10_000;

/**
 * Runs the rows, at most `concurrency()` valid ones at a time, and yields outcomes as they come. No row is read while the
 * consumer writes to the journal. When the circuit breaker opens or the source fails, stops reading and yields the outcomes that
 * are still under way.
 */
export async function* launchRows(
  { rows: lists, select, runRow, held }: Pick<JobRows, 'rows' | 'select' | 'runRow' | 'held'>,
  { concurrency, breaker }: { concurrency: () => number; breaker: CircuitBreaker },
): AsyncGenerator<readonly Outcome[], void> {
  let outcomes: Outcome[] = [];
  let inFlight = 0;
  let waiting = 0;
  let open = true;
  let hasEnded = false;
  let wake = () => {};
  let isWaking = false;
  const rows = readAhead(lists, () => wake());

  function launch(row: ValidRow): void {
    const wait = held?.(row);
    if (wait) void launchAfter(wait, row);
    else launchNow(row);
  }

  async function launchAfter(wait: Promise<void>, row: ValidRow): Promise<void> {
    waiting += 1;
    await wait;
    waiting -= 1;
    launchNow(row);
  }

  function launchNow(row: ValidRow): void {
    inFlight += 1;
    void runRow(row).then(onOutcome, (failure: unknown) => {
      breaker.stop(failure);
      onOutcome(pendingRow(row, true));
    });
  }

  function onOutcome(outcome: Outcome): void {
    outcomes.push(outcome);
    inFlight -= 1;
    if (isWaking) return;
    isWaking = true;
    setImmediate(passOn);
  }

  /** Passes on the outcomes of one turn of the event loop together, because each pass to the journal has a cost. */
  function passOn(): void {
    isWaking = false;
    wake();
  }

  /** Launches the rows that are ready, as long as there is room. */
  function fill(): void {
    try {
      while (open && inFlight < concurrency() && waiting < mostWaiting && !breaker.isOpen()) {
        const next = rows.take();
        const row = next && select(next);
        if (row?.user) launch(row);
        else if (row) outcomes.push(outcomeOfIssues(row));
        else if (!next) {
          open = !rows.hasEnded();
          return;
        }
      }
    } catch (failure) {
      open = false;
      breaker.stop(failure);
    }
  }

  const nextEvent = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  try {
    for (;;) {
      // Outcomes are passed on before more rows are read, because they may open the breaker.
      if (outcomes.length === 0) fill();
      if (outcomes.length > 0) {
        const ready = outcomes;
        outcomes = [];
        yield ready;
      } else if (inFlight + waiting > 0 || (open && !breaker.isOpen())) await nextEvent();
      else {
        hasEnded = true;
        return;
      }
    }
  } finally {
    // If the consumer fails, no more rows are sent, and a source that waits for outcomes (a ramp) ends. Rows in flight get their
    // answers before the caller goes on.
    if (!hasEnded) breaker.stop(new Error('the outcomes could not be recorded'));
    while (inFlight + waiting > 0) await nextEvent();
    await rows.stop();
  }
}

/** Returns the outcome of a row with issues, for one line of a list: the code is that of the first issue, the message names all. */
function outcomeOfIssues(invalid: InvalidRow): Outcome {
  const { row, line, userName, externalId, key, algorithm, issues } = invalid;
  const reference = { row, line, userName, externalId, algorithm };
  if (invalid.isSkipped) return { ...reference, result: 'skipped', code: null, message: null, hint: null };
  return { ...reference, key, result: 'invalid', code: issues[0]?.code ?? '', ...describeIssues(issues) };
}

/** Result of reading: the next list, the end, or a failure. */
type Read = { list: readonly ValidatedRow[] } | { failure: unknown } | 'end';

/**
 * Gives out the rows of lists one by one, without a promise for each, and reads one list ahead. `onRead` is called each time that
 * there is more to take, or that reading has ended.
 */
function readAhead(lists: JobRows['rows'], onRead: () => void) {
  let list: readonly ValidatedRow[] = [];
  let at = 0;
  let ahead: Read | undefined;

  function came(read: Read): void {
    ahead = read;
    onRead();
  }

  function read(): void {
    ahead = undefined;
    lists.next().then(
      ({ done, value }) => came(done ? 'end' : { list: value }),
      (failure: unknown) => came({ failure }),
    );
  }

  read();
  return {
    /**
     * Returns the next row; `undefined` if it has not been read yet, or if there is none. Throws the failure of the reading after
     * the last row before it.
     */
    take(): ValidatedRow | undefined {
      while (at === list.length) {
        if (!ahead || ahead === 'end') return undefined;
        if ('failure' in ahead) throw ahead.failure;
        list = ahead.list;
        at = 0;
        read();
      }
      at += 1;
      return list[at - 1];
    },
    /** True when the last row has been taken. */
    hasEnded: () => at === list.length && ahead === 'end',
    /** Ends the reading. */
    stop: () => lists.return().then(() => {}),
  };
}
