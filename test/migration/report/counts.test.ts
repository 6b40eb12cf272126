import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError, AuthenticationError, NetworkError } from '../../../src/client/errors.ts';
import type { Summary } from '../../../src/migration/model/summary.ts';
import { goodHashes } from '../hashes.ts';
import { recordingClient, runImport } from '../run-import.ts';

/** What can happen to a row; `invalid` and `ragged` ones are never sent. */
const fates = {
  created: () => {},
  refused: () => {
    throw new ApiError('SVC.TENANT.USER.0034', 'Username already exists', 400);
  },
  unsent: () => {
    throw new NetworkError('notTheApi', 'a page', { effect: 'none' });
  },
  lost: () => {
    throw new NetworkError('timeout', 'no answer', { effect: 'unknown' });
  },
  denied: () => {
    throw new AuthenticationError('invalid_token', 'Invalid access', 400);
  },
  broken: () => {
    throw new Error('unexpected');
  },
  invalid: () => {},
  ragged: () => {},
} as const satisfies Record<string, () => void>;

type Fate = keyof typeof fates;

const usual: Fate[] = ['created', 'created', 'created', 'refused', 'unsent', 'lost', 'invalid', 'ragged'];
const runs = fc.record({
  rows: fc.oneof(
    fc.array(fc.constantFrom(...usual), { minLength: 1, maxLength: 60 }),
    fc.array(fc.constantFrom(...usual, 'denied' as const, 'broken' as const), {
      minLength: 1,
      maxLength: 60,
    }),
    fc.array(fc.constantFrom('unsent' as const, 'lost' as const), { minLength: 15, maxLength: 60 }),
  ),
  concurrency: fc.integer({ min: 1, max: 40 }),
  abortAt: fc.option(fc.integer({ min: 1, max: 60 })),
  dryRun: fc.boolean(),
});

function fileOf(rows: Fate[]): string {
  const lines = rows.map((fate, index) => {
    const cells = [`${fate}.${index}`, 'md5', fate === 'invalid' ? 'short' : goodHashes.md5];
    return fate === 'ragged' ? cells.slice(1) : cells;
  });
  return stringify([['user_name', 'algorithm', 'hash'], ...lines]);
}

function sumOf(summary: Summary): number {
  const { created, existing, conflict, failed, invalid, unknown, pending } = summary;
  return created + existing + conflict + failed + invalid + unknown + pending;
}

test('no row is lost or counted twice, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ rows, concurrency, abortAt, dryRun }) => {
      const controller = new AbortController();
      const recorder = recordingClient(async ({ user_name = '' }, number) => {
        if (number === abortAt) controller.abort();
        if (number % 2) await setImmediate();
        fates[user_name.split('.')[0] as Fate]();
      });
      // A token that is rejected for a row is rejected for the look-up as well.
      const client = { ...recorder, getUser: async () => fates.denied() };
      // Without silenceLimit, since a run that gets no answer at all would wait for one.
      const options = { concurrency, dryRun, signal: controller.signal, silenceLimit: 0 };
      const { summary, stoppedBy, users, failures } = await runImport(fileOf(rows), options, client);

      expect(summary.rows).toBe(rows.length);
      expect(sumOf(summary)).toBe(rows.length);
      if (dryRun) expect(client.sent).toEqual([]);
      else if (!stoppedBy) expect(summary.pending).toBe(0);

      const records = [...users, ...failures].map((entry) => Number(entry.row));
      expect(new Set(records).size).toBe(records.length);
      expect(users.length).toBe(summary.created);
      expect(failures.length).toBe(summary.failed + summary.invalid + summary.unknown);
      expect(users.every((entry) => rows[Number(entry.row) - 1] === 'created')).toBe(true);
      expect(failures.every((entry) => rows[Number(entry.row) - 1] !== 'created')).toBe(true);

      const codes = Object.values(summary.codes).reduce((sum, count) => sum + count, 0);
      expect(codes).toBe(summary.failed + summary.invalid + summary.unknown);
      const sent = new Set(client.sent.map(({ user_name }) => user_name));
      const denied = [...sent].filter((name) => name?.startsWith('denied')).length;
      const told = summary.created + summary.failed + summary.unknown + denied;
      // A run that is stopped leaves rows pending that it could not look up.
      expect(sent.size).toBeGreaterThanOrEqual(told);
      expect(sent.size).toBeLessThanOrEqual(told + (stoppedBy ? summary.pending : 0));
      // A row is sent again only if it got no answer and was looked up and not found, or if its token was rejected.
      const again = client.sent.length - sent.size;
      expect(again).toBeLessThanOrEqual(9 * (summary.unknown + (stoppedBy ? summary.pending : 0)));
    }),
    { numRuns: 25 },
  );
});
