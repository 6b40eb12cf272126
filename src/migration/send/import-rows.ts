import type { Outcome } from '../model/outcome.ts';
import type { InvalidRow, ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { rowReference } from './import-row.ts';

/** Rows, and what is done with each. */
export interface RowImport {
  rows: AsyncGenerator<readonly ValidatedRow[], void>;
  /** The row to import; `undefined` leaves it out. Called in the order of the rows, just before each is imported. */
  select: (row: ValidatedRow) => ValidatedRow | undefined;
  /** Rejects by a defect only: then the row may have been sent, and the circuit breaker opens. */
  importOne: (row: ValidRow) => Promise<Outcome>;
  /** What a row waits for before it is imported; it takes no place meanwhile. */
  held?: (row: ValidRow) => Promise<void> | undefined;
}

/**
 * Imports the rows, at most `concurrency()` valid ones at the same time, and yields the outcomes as they come. Pulled by its
 * reader: while the journal is written no row is read. When the circuit breaker opens, or the source fails, it reads no more
 * rows and yields what is still under way.
 */
export async function* importRows(
  { rows: lists, select, importOne, held }: RowImport,
  { concurrency, breaker }: { concurrency: () => number; breaker: CircuitBreaker },
): AsyncGenerator<readonly Outcome[], void> {
  let outcomes: Outcome[] = [];
  let inFlight = 0;
  let waiting = 0;
  let open = true;
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
    void importOne(row).then(onOutcome, (failure: unknown) => {
      breaker.stop(failure);
      onOutcome({ ...rowReference(row), result: 'pending', mayHaveBeenSent: true });
    });
  }

  function onOutcome(outcome: Outcome): void {
    outcomes.push(outcome);
    inFlight -= 1;
    if (isWaking) return;
    isWaking = true;
    setImmediate(passOn);
  }

  /** Answers that are read in one turn of the event loop are passed on together: each step to the journal has its price. */
  function passOn(): void {
    isWaking = false;
    wake();
  }

  /** Takes what is there, as long as there is room. */
  function fill(): void {
    try {
      while (open && inFlight < concurrency() && !breaker.isOpen()) {
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
      // What became of earlier rows may open the breaker, so it is passed on before others are read.
      if (outcomes.length === 0) fill();
      if (outcomes.length > 0) {
        const ready = outcomes;
        outcomes = [];
        yield ready;
      } else if (inFlight + waiting > 0 || (open && !breaker.isOpen())) await nextEvent();
      else return;
    }
  } finally {
    // Reached early when the reader fails: the rows on the wire get their answers before the caller goes on.
    while (inFlight + waiting > 0) await nextEvent();
    await rows.stop();
  }
}

/** One line in the report: the first issue gives the code, the message names all. */
function outcomeOfIssues(invalid: InvalidRow): Outcome {
  const { row, line, userName, externalId, key, algorithm, issues } = invalid;
  if (invalid.isSkipped) {
    const reference = { row, line, userName, externalId, algorithm };
    return { ...reference, result: 'skipped', code: null, message: null, hint: null };
  }
  const code = issues[0]?.code ?? '';
  const message = issues.map(({ column, message: text }) =>
    column === undefined ? text : `${column}: ${text}`,
  );
  const hint = issues.map((issue) => issue.hint);
  return {
    row,
    line,
    userName,
    externalId,
    key,
    algorithm,
    result: 'invalid',
    code,
    message: message.join('; '),
    hint: [...new Set(hint)].join(' '),
  };
}

/** What a reading came to: the next list, the end, or what it failed with. */
type Read<Item> = { list: readonly Item[] } | { failure: unknown } | 'end';

/** Hands out the items of lists one by one, without a promise for each, and keeps one list ahead. */
interface ReadAhead<Item> {
  /**
   * The next item; `undefined` when it has not been read yet, or there is none. Throws what the reading failed with, after
   * the last item before.
   */
  take(): Item | undefined;
  /** True when the last item has been taken. */
  hasEnded(): boolean;
  /** Ends the reading. */
  stop(): Promise<void>;
}

/** Begins to read; `onRead` is called each time there is more to take, or nothing more. */
function readAhead<Item>(lists: AsyncGenerator<readonly Item[], void>, onRead: () => void): ReadAhead<Item> {
  let list: readonly Item[] = [];
  let at = 0;
  let ahead: Read<Item> | undefined;

  function came(read: Read<Item>): void {
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
    take() {
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
    hasEnded: () => at === list.length && ahead === 'end',
    stop: () => lists.return().then(() => {}),
  };
}
