import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBrake } from '../../src/migration/brake.ts';
import type { ValidRow } from '../../src/migration/checked-row.ts';
import type { Outcome } from '../../src/migration/outcome.ts';
import { settleRows } from '../../src/migration/settle-rows.ts';

/** A source that knows how far it was read. */
function source(rows: number) {
  const state = { taken: 0, ended: false };
  async function* read(): AsyncGenerator<ValidRow, void> {
    try {
      for (let row = 1; row <= rows; row += 1) {
        await null;
        state.taken = row;
        yield { row, line: row + 1, user: {} };
      }
    } finally {
      state.ended = true;
    }
  }
  return { state, rows: read() };
}

const created = ({ row, line }: ValidRow): Outcome => ({
  row,
  line,
  userName: undefined,
  externalId: undefined,
  algorithm: undefined,
  result: 'created',
  userId: String(row),
});

test.each([1, 2, 7, 32])(
  '%i rows in flight at most, and as many whenever there are rows',
  async (concurrency) => {
    const { rows, state } = source(200);
    let inFlight = 0;
    let most = 0;
    const settle = async (row: ValidRow) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await (row.row % 3 ? setImmediate() : sleep(1));
      inFlight -= 1;
      return created(row);
    };
    const seen: number[] = [];
    for await (const outcome of settleRows(rows, settle, () => concurrency, createBrake())) {
      seen.push(outcome.row);
      expect(state.taken - seen.length).toBeLessThanOrEqual(concurrency);
    }
    expect(most).toBe(concurrency);
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(state.ended).toBe(true);
  },
);

test('a reader who does not pull holds the source back', async () => {
  const { rows, state } = source(1000);
  const outcomes = settleRows(
    rows,
    (row) => Promise.resolve(created(row)),
    () => 4,
    createBrake(),
  );
  await outcomes.next();
  await sleep(10);
  expect(state.taken).toBeLessThanOrEqual(8);
  await outcomes.return();
  expect(state.ended).toBe(true);
});

test('a reader who fails waits for the rows in flight', async () => {
  const { rows, state } = source(100);
  let inFlight = 0;
  const settle = async (row: ValidRow) => {
    inFlight += 1;
    await sleep(row.row === 1 ? 0 : 15);
    inFlight -= 1;
    return created(row);
  };
  const read = async () => {
    for await (const _ of settleRows(rows, settle, () => 5, createBrake())) throw new Error('disk full');
  };
  await expect(read()).rejects.toThrow('disk full');
  expect(inFlight).toBe(0);
  expect(state).toEqual({ taken: 5, ended: true });
});

test('a pulled brake lets the rows in flight finish', async () => {
  const { rows } = source(100);
  const brake = createBrake();
  const settle = async (row: ValidRow) => {
    await sleep(2);
    if (row.row === 3) brake.stop(new Error('enough'));
    return created(row);
  };
  const seen: number[] = [];
  for await (const outcome of settleRows(rows, settle, () => 6, brake)) seen.push(outcome.row);
  expect(seen.length).toBeGreaterThanOrEqual(6);
  expect(seen.length).toBeLessThanOrEqual(12);
  expect(brake.reason()?.message).toBe('enough');
});
