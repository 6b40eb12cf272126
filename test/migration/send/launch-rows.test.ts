import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/migration/model/outcome.ts';
import type { ValidatedRow, ValidRow } from '../../../src/migration/rows/validate-rows.ts';
import { createCircuitBreaker } from '../../../src/migration/send/circuit-breaker.ts';
import { launchRows } from '../../../src/migration/send/launch-rows.ts';

/** A source that gives lists of this number of rows, and knows how far it was read. */
function source(rows: number, length = 1) {
  const state = { taken: 0, ended: false };
  async function* read(): AsyncGenerator<ValidatedRow[], void> {
    try {
      while (state.taken < rows) {
        await null;
        const list = Array.from({ length: Math.min(length, rows - state.taken) }, (_, index) => {
          const row = state.taken + index + 1;
          return { row, line: row + 1, user: {} };
        });
        state.taken += list.length;
        yield list;
      }
    } finally {
      state.ended = true;
    }
  }
  return { state, rows: read() };
}

const all = (row: ValidatedRow) => row;

const created = ({ row, line }: ValidRow): Outcome => ({
  row,
  line,
  userName: undefined,
  externalId: undefined,
  algorithm: undefined,
  result: 'created',
  userId: String(row),
});

test.each([
  [1, 1],
  [2, 5],
  [7, 64],
  [32, 3],
])(
  'at most %i rows are in flight, and exactly as many whenever there are rows, with lists of %i',
  async (concurrency, length) => {
    const { rows, state } = source(200, length);
    let inFlight = 0;
    let most = 0;
    const runRow = async (row: ValidRow) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await (row.row % 3 ? setImmediate() : sleep(1));
      inFlight -= 1;
      return created(row);
    };
    const seen: number[] = [];
    for await (const outcomes of launchRows(
      { rows, select: all, runRow },
      { concurrency: () => concurrency, breaker: createCircuitBreaker() },
    )) {
      seen.push(...outcomes.map(({ row }) => row));
      // One list being sent, and one read ahead.
      expect(state.taken - seen.length).toBeLessThanOrEqual(concurrency + 2 * length);
    }
    expect(most).toBe(concurrency);
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(state.ended).toBe(true);
  },
);

test('of rows that must wait, only a limited number is read', async () => {
  const { rows, state } = source(30_000, 100);
  const arrived = new AbortController();
  const wait = new Promise<void>((resolve) => arrived.signal.addEventListener('abort', () => resolve()));
  const held = () => (arrived.signal.aborted ? undefined : wait);
  const imported = launchRows(
    { rows, select: all, runRow: async (row) => created(row), held },
    { concurrency: () => 4, breaker: createCircuitBreaker() },
  );
  const first = imported.next();
  let taken = -1;
  while (taken !== state.taken) {
    taken = state.taken;
    await sleep(20);
  }
  expect(taken).toBeLessThan(20_000);
  arrived.abort();
  let seen = (await first).value?.length ?? 0;
  for await (const outcomes of imported) seen += outcomes.length;
  expect(seen).toBe(30_000);
});

test('a reader that does not pull slows the source down', async () => {
  const { rows, state } = source(1000);
  const outcomes = launchRows(
    { rows, select: all, runRow: (row) => Promise.resolve(created(row)) },
    { concurrency: () => 4, breaker: createCircuitBreaker() },
  );
  await outcomes.next();
  await sleep(10);
  expect(state.taken).toBeLessThanOrEqual(8);
  await outcomes.return();
  expect(state.ended).toBe(true);
});

test('a reader that fails waits for the rows in flight', async () => {
  const { rows, state } = source(100);
  let inFlight = 0;
  const runRow = async (row: ValidRow) => {
    inFlight += 1;
    await sleep(row.row === 1 ? 0 : 15);
    inFlight -= 1;
    return created(row);
  };
  const read = async () => {
    for await (const _ of launchRows(
      { rows, select: all, runRow },
      { concurrency: () => 5, breaker: createCircuitBreaker() },
    ))
      throw new Error('disk full');
  };
  await expect(read()).rejects.toThrow('disk full');
  expect(inFlight).toBe(0);
  expect(state.taken).toBeLessThanOrEqual(7);
  expect(state.ended).toBe(true);
});

test('an open circuit breaker lets the rows in flight finish', async () => {
  const { rows } = source(100);
  const breaker = createCircuitBreaker();
  const runRow = async (row: ValidRow) => {
    await sleep(2);
    if (row.row === 3) breaker.stop(new Error('enough'));
    return created(row);
  };
  const seen: number[] = [];
  for await (const outcomes of launchRows({ rows, select: all, runRow }, { concurrency: () => 6, breaker })) {
    seen.push(...outcomes.map(({ row }) => row));
  }
  expect(seen.length).toBeGreaterThanOrEqual(6);
  expect(seen.length).toBeLessThanOrEqual(12);
  expect(breaker.reason()?.message).toBe('enough');
});

test('when a source fails, the rows that it gave are imported first, and then the run stops', async () => {
  async function* failing(): AsyncGenerator<ValidatedRow[], void> {
    yield [1, 2, 3].map((row) => ({ row, line: row + 1, user: {} }));
    throw new Error('the disk is gone');
  }
  const breaker = createCircuitBreaker();
  const seen: number[] = [];
  const runRow = (row: ValidRow) => sleep(1, created(row));
  for await (const outcomes of launchRows(
    { rows: failing(), select: all, runRow },
    { concurrency: () => 2, breaker },
  )) {
    seen.push(...outcomes.map(({ row }) => row));
  }
  expect(seen).toEqual([1, 2, 3]);
  expect(breaker.reason()?.message).toBe('the disk is gone');
});

test('rows that are skipped or invalid do not count as rows in flight', async () => {
  async function* mixed(): AsyncGenerator<ValidatedRow[], void> {
    yield [1, 2, 3, 4].map((row) => ({ row, line: row + 1, user: {} }));
    yield [{ row: 5, line: 6, issues: [], userName: undefined, externalId: undefined, algorithm: undefined }];
  }
  const odd = (row: ValidatedRow) => (row.row % 2 === 1 ? row : undefined);
  const sent: number[] = [];
  const runRow = (row: ValidRow) => {
    sent.push(row.row);
    return sleep(1, created(row));
  };
  const results: string[] = [];
  for await (const outcomes of launchRows(
    { rows: mixed(), select: odd, runRow },
    { concurrency: () => 1, breaker: createCircuitBreaker() },
  )) {
    results.push(...outcomes.map(({ row, result }) => `${row} ${result}`));
  }
  expect(sent).toEqual([1, 3]);
  expect(results).toEqual(['1 created', '3 created', '5 invalid']);
});

test('after a row whose import throws, which may have been sent, no other row begins', async () => {
  const { rows } = source(20);
  const breaker = createCircuitBreaker();
  const defect = new TypeError('a defect');
  const runRow = (row: ValidRow) => (row.row === 3 ? Promise.reject(defect) : Promise.resolve(created(row)));
  const seen: Outcome[] = [];
  const sending = launchRows({ rows, select: all, runRow }, { concurrency: () => 1, breaker });
  for await (const outcomes of sending) seen.push(...outcomes);
  expect(seen.map(({ row, result }) => [row, result])).toEqual([
    [1, 'created'],
    [2, 'created'],
    [3, 'pending'],
  ]);
  expect(seen[2]).toMatchObject({ mayHaveBeenSent: true });
  expect(breaker.reason()).toBe(defect);
});
