import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/migration/model/outcome.ts';
import type { ValidatedRow } from '../../../src/migration/rows/validate-rows.ts';
import { createCircuitBreaker } from '../../../src/migration/send/circuit-breaker.ts';
import { launchRows } from '../../../src/migration/send/launch-rows.ts';
import { rampUp } from '../../../src/migration/send/ramp.ts';

const rowOf = (row: number) => ({ row, line: row, user: { user_name: `user${row}` } });

async function* listsOf(...lists: ValidatedRow[][]): AsyncGenerator<ValidatedRow[], void> {
  yield* lists;
}

/**
 * Runs forty rows in stages. `result` decides the outcome of each row. Returns the rows in the order in which they were
 * sent.
 */
async function run(
  stages: string[],
  {
    first = [] as number[],
    result = (_: number): Outcome['result'] => 'created',
    stopAt = 0,
    record = (_: readonly Outcome[]) => {},
  },
) {
  const stop = new AbortController();
  const breaker = createCircuitBreaker({ signal: stop.signal });
  const [sent, said, atOnce]: [number[], string[], number[]] = [[], [], [0]];
  let underWay = 0;
  const all = Array.from({ length: 40 }, (_, at) => rowOf(at + 1));
  const staged = rampUp(
    {
      rows: listsOf(all.slice(0, 13), all.slice(13, 30), all.slice(30)),
      select: (row) => row,
      async runRow(row) {
        underWay += 1;
        atOnce.push(underWay);
        sent.push(row.row);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        if (row.row === stopAt) stop.abort(new Error('enough'));
        return { row: row.row, line: row.line, result: result(row.row), code: 'X' } as Outcome;
      },
      isSending: true,
      isEarly: () => false,
      isWatched: () => true,
      isSent: () => true,
    },
    {
      stages: stages.map((name) => ({
        name,
        most: name.endsWith('%') ? { fraction: Number.parseInt(name, 10) / 100 } : { rows: Number(name) },
      })),
      first: first.map(rowOf),
      prove: async () => void said.push('canaries tried'),
      onStage: ({ name, rows, failed }) => said.push(`${name}: ${rows}, ${failed} failed`),
    },
    { breaker, maxFailures: undefined, total: 40 },
  );
  for await (const outcomes of launchRows(staged, { concurrency: () => 8, breaker })) record(outcomes);
  return { sent, said, most: Math.max(...atOnce), reason: breaker.reason()?.message };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('every row is sent once, the canaries first, whatever the stages and the lists are', async () => {
  const { sent, said, most } = await run(['3', '14', '50%', '100%'], { first: [20, 38] });
  expect(sent.slice(0, 2)).toEqual([20, 38]);
  expect([...sent].sort((one, other) => one - other)).toEqual(numbers(1, 40));
  expect(said).toEqual([
    'canaries: 2, 0 failed',
    'canaries tried',
    '3: 1, 0 failed',
    '14: 11, 0 failed',
    '50%: 6, 0 failed',
  ]);
  expect(most).toBe(8);
  // A stage smaller than what was sent already is left out.
  expect((await run(['10', '5', '2%'], {})).said).toEqual(['10: 10, 0 failed']);
});

test('a stage that fails or is interrupted is the last one, and the run ends', async () => {
  const failed = await run(['5', '20'], { result: (row) => (row > 5 ? 'failed' : 'created') });
  expect(failed.sent).toHaveLength(20);
  expect(failed.reason).toContain('15 of 15 rows of the stage 20 failed, so the next stage was not begun');
  const stopped = await run(['20', '100%'], { stopAt: 4 });
  expect(stopped).toMatchObject({ reason: 'enough', said: [] });
  expect(stopped.sent.length).toBeLessThan(20);
});

test('outcomes that cannot be recorded end the run, although rows of the stage were not sent yet', async () => {
  const record = () => {
    throw new Error('disk full');
  };
  await expect(run(['12', '100%'], { record })).rejects.toThrow('disk full');
});
