import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../../../src/client/errors.ts';
import type { Outcome } from '../../../src/migration/model/outcome.ts';
import type { RowLimit } from '../../../src/migration/model/row-limit.ts';
import { watchOutcomes } from '../../../src/migration/send/watch-outcomes.ts';
import { goodHashes } from '../hashes.ts';
import { recordingClient, runImport } from '../run-import.ts';

const place = { row: 1, line: 2, userName: undefined, externalId: undefined, algorithm: undefined };
const created: Outcome = { ...place, result: 'created', userId: 'u' };
const pending: Outcome = { ...place, result: 'pending' };
const refused = (code: string): Outcome => ({ ...place, result: 'failed', code, message: 'no', hint: '' });
const invalid: Outcome = { ...place, result: 'invalid', code: 'CELLS', message: 'no', hint: '' };
const skipped: Outcome = { ...place, result: 'skipped', code: null, message: null, hint: null };

/**
 * The number of outcomes after which the run stops, and why; 0 if it does not stop. Meanwhile `all` rows have no answer,
 * `before` of them sent before these.
 */
function stopOf(
  outcomes: Iterable<Outcome>,
  limit?: RowLimit,
  { all, before = all }: { all: number; before?: number } = { all: 0 },
): [number, string] {
  const watch = watchOutcomes(limit);
  let number = 0;
  for (const outcome of outcomes) {
    number += 1;
    const reason = watch(outcome, { all, sentBefore: before });
    if (reason) return [number, reason.code];
  }
  return [0, ''];
}

const times = (count: number, outcome: Outcome) => new Array<Outcome>(count).fill(outcome);

test('rows that the recipe skips count neither as failures nor in a percentage', () => {
  expect(stopOf(times(500, skipped), { rows: 0 })).toEqual([0, '']);
  expect(stopOf([...times(500, skipped), refused('A')], { rows: 0 })).toEqual([501, 'MAX_FAILURES']);
  const some = [...times(900, skipped), ...times(95, created), ...times(6, refused('A'))];
  expect(stopOf(some, { fraction: 0.05 })).toEqual([1001, 'MAX_FAILURES']);
});

test('fifty failures of one kind at the start stop the run', () => {
  expect(stopOf(times(500, refused('A')))).toEqual([50, 'SYSTEMIC']);
  expect(stopOf([...times(49, refused('A')), created, ...times(100, refused('A'))])).toEqual([0, '']);
});

test('two hundred failures of one kind, without a user among them, stop a run that went well before', () => {
  const late = [...times(1000, created), ...times(500, refused('A'))];
  expect(stopOf(late)).toEqual([1200, 'SYSTEMIC']);
  const mixed = [
    ...times(10, created),
    ...times(190, refused('A')),
    ...times(11, refused('B')),
    ...times(400, refused('C')),
  ];
  expect(stopOf(mixed)).toEqual([10 + 190 + 11 + 190, 'SYSTEMIC']);
});

test('failed rows of several kinds, or scattered among good ones, do not stop the run', () => {
  const kinds = Array.from({ length: 2000 }, (_, index) => refused(`K${index % 3}`));
  expect(stopOf(kinds)).toEqual([0, '']);
  const scattered = Array.from({ length: 5000 }, (_, index) => (index % 150 === 0 ? created : refused('A')));
  expect(stopOf(scattered)).toEqual([0, '']);
  expect(stopOf(times(1000, invalid))).toEqual([0, '']);
});

test('rows with the outcome existing count as users', () => {
  const existing: Outcome = { ...place, result: 'existing', userId: 'u' };
  expect(stopOf(times(1000, existing), { rows: 0 })).toEqual([0, '']);
});

test.each<[RowLimit, number]>([
  [{ rows: 0 }, 1],
  [{ rows: 7 }, 8],
  [{ fraction: 0.05 }, 100],
  [{ fraction: 1 }, 0],
])('a limit of %o stops a run of failures after %i rows', (limit, number) => {
  const outcomes = Array.from({ length: 300 }, (_, index) => (index % 2 ? refused(`K${index}`) : invalid));
  expect(stopOf(outcomes, limit)[0]).toBe(number);
});

test('a limit of all rows stops no run, not even with failures of one kind', () => {
  expect(stopOf(times(1000, refused('A')), { fraction: 1 })).toEqual([0, '']);
});

test('a limit in rows is exact, whichever rows fail', () => {
  const rows = fc.array(fc.constantFrom(created, pending, invalid, refused('A'), refused('B')), {
    maxLength: 45,
  });
  fc.assert(
    fc.property(rows, fc.integer({ min: 0, max: 20 }), (outcomes, most) => {
      const failures = outcomes.flatMap(({ result }, index) =>
        result === 'failed' || result === 'invalid' ? [index + 1] : [],
      );
      expect(stopOf(outcomes, { rows: most })[0]).toBe(failures[most] ?? 0);
    }),
  );
});

test('rows in flight count as users in a limit by percentage, and do not count in a limit by rows', () => {
  const failing = Array.from({ length: 600 }, (_, index) => refused(`K${index}`));
  expect(stopOf(failing, { fraction: 0.1 }, { all: 512 })).toEqual([100, 'MAX_FAILURES']);
  expect(stopOf(failing, { fraction: 0.25 }, { all: 512 })).toEqual([171, 'MAX_FAILURES']);
  expect(stopOf(failing, { rows: 7 }, { all: 512 })).toEqual([8, 'MAX_FAILURES']);
});

test('failures of one kind do not stop the run while more than one in twenty rows before them has no answer', () => {
  expect(stopOf(times(500, refused('A')), undefined, { all: 512, before: 2 })).toEqual([50, 'SYSTEMIC']);
  expect(stopOf(times(600, refused('A')), undefined, { all: 512, before: 12 })).toEqual([228, 'SYSTEMIC']);
  expect(stopOf(times(600, refused('A')), undefined, { all: 512 })).toEqual([0, '']);
});

test('a run continues whose first two in five rows wait for a commit while the others are refused', async () => {
  const rows = Array.from({ length: 600 }, (_, index) => `user${index},md5,${goodHashes.md5}\n`);
  const client = recordingClient(async (_, number) => {
    if (number % 5 < 3) throw new ApiError('SVC.TENANT.USER.0034', 'no', 400);
    await sleep(30);
  });
  const { summary, stoppedBy } = await runImport(
    `user_name,algorithm,hash\n${rows.join('')}`,
    { concurrency: 64 },
    client,
  );
  expect({ stoppedBy, created: summary.created, failed: summary.failed }).toEqual({
    stoppedBy: undefined,
    created: 240,
    failed: 360,
  });
});

test('a run of 512 rows in flight continues, though failures are answered first', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => `user${index},md5,${goodHashes.md5}\n`);
  const client = recordingClient(async (_, number) => {
    if (number % 10 < 3) throw new ApiError('SVC.TENANT.USER.0034', 'no', 400);
    await sleep(30);
  });
  const { summary, stoppedBy } = await runImport(
    `user_name,algorithm,hash\n${rows.join('')}`,
    { concurrency: 512, maxFailures: { fraction: 0.4 } },
    client,
  );
  expect({ stoppedBy, created: summary.created, failed: summary.failed }).toEqual({
    stoppedBy: undefined,
    created: 2100,
    failed: 900,
  });
});
