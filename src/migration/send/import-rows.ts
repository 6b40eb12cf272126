import type { Outcome } from '../model/outcome.ts';
import type { InvalidRow, ValidatedRow, ValidRow } from '../rows/validate-rows.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

/**
 * Settles each row that `select` does not leave out, at most `concurrency()` valid ones at the same time, and yields the
 * outcomes as they come. Pulled by its reader: while the books are written no row is taken. When the brake is pulled, or
 * the source fails, it takes no more rows and yields what is still under way. `settle` must not reject.
 */
export async function* importRows(
  lists: AsyncGenerator<readonly ValidatedRow[], void>,
  select: (row: ValidatedRow) => ValidatedRow | undefined,
  settle: (row: ValidRow) => Promise<Outcome>,
  concurrency: () => number,
  brake: CircuitBreaker,
): AsyncGenerator<readonly Outcome[], void> {
  let settled: Outcome[] = [];
  let inFlight = 0;
  let open = true;
  let wake = () => {};
  let isWaking = false;
  const rows = readAhead(lists, () => wake());

  function launch(row: ValidRow): void {
    inFlight += 1;
    void settle(row).then(landed);
  }

  function landed(outcome: Outcome): void {
    settled.push(outcome);
    inFlight -= 1;
    if (isWaking) return;
    isWaking = true;
    setImmediate(passOn);
  }

  /** Answers that are read in one turn of the event loop are passed on together: each step to the books has its price. */
  function passOn(): void {
    isWaking = false;
    wake();
  }

  /** Takes what is there, as long as there is room. */
  function fill(): void {
    try {
      while (open && inFlight < concurrency() && !brake.isOpen()) {
        const next = rows.take();
        const row = next && select(next);
        if (row?.user) launch(row);
        else if (row) settled.push(outcomeOfFindings(row));
        else if (!next) {
          open = !rows.hasEnded();
          return;
        }
      }
    } catch (failure) {
      open = false;
      brake.stop(failure);
    }
  }

  const nextEvent = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  try {
    for (;;) {
      // What became of earlier rows may pull the brake, so it is told before others are taken.
      if (settled.length === 0) fill();
      if (settled.length > 0) {
        const ready = settled;
        settled = [];
        yield ready;
      } else if (inFlight > 0 || (open && !brake.isOpen())) await nextEvent();
      else return;
    }
  } finally {
    // Reached early when the reader fails: the rows on the wire get their answers before the caller goes on.
    while (inFlight > 0) await nextEvent();
    await rows.stop();
  }
}

/** One line in the report: the first finding gives the code, the message tells all. */
function outcomeOfFindings({ row, line, userName, externalId, algorithm, issues }: InvalidRow): Outcome {
  const code = issues[0]?.code ?? '';
  const message = issues.map((f) => (f.column === undefined ? f.message : `${f.column}: ${f.message}`));
  const hint = issues.map((finding) => finding.hint);
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

/** What a reading came to: the next list, the end, or what it failed with. */
type Read<Item> = { list: readonly Item[] } | { failure: unknown } | 'end';

/** Hands out the items of lists one by one, without a promise for each, and keeps one list ahead. */
export interface ReadAhead<Item> {
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

/** Begins to read; `onRead` is told each time there is more to take, or nothing more. */
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
