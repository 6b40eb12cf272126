import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { Summary } from '../../../src/migration/model/summary.ts';
import { planFaults } from '../../../src/service/fault-injection/plan.ts';
import { jumpingClock } from '../../clocks.ts';
import { startWorld } from '../../world.ts';
import { scriptOf } from './script-of.ts';
import type { Entry } from './start-faulty.ts';

const md5 = 'e10adc3949ba59abbe56e057f20f883e';

type Row = { row: string; user_name: string; code: string };

/** The result of an import against a service with injected faults, as both sides report it. */
interface Rehearsal {
  summary: Summary;
  /** User names of users.csv, rows of failures.csv, and user names of the service's database. */
  created: string[];
  failures: Row[];
  stored: string[];
  triggered: readonly number[];
}

async function rehearse(script: string, rows: number, concurrency: number): Promise<Rehearsal> {
  const clock = jumpingClock();
  const started = Date.now() - clock.now();
  const faults = planFaults(scriptOf(script), () => started + clock.now());
  const world = await startWorld({ faults });
  const file = join(world.directory, 'legacy.csv');
  const job = join(world.directory, 'job');
  const lines = Array.from({ length: rows }, (_, index) => `u${index + 1},md5,${md5}`);
  await writeFile(file, `user_name,algorithm,hash\n${lines.join('\n')}\n`);
  const flags = ['--job', job, '--json', '--concurrency', String(concurrency)];
  const { stdout } = await world.runWith({ clock }, 'import-hashes', file, ...flags);
  const books = async (name: string): Promise<Row[]> =>
    parse(await readFile(join(job, name)), { columns: true });
  const stored: string[] = [];
  for (let offset = 0; ; offset += 1) {
    const page = await world.client.listUsers({ offset, limit: 100 });
    stored.push(...page.users.map(({ user_name }) => user_name));
    if (page.users.length === 0) break;
  }
  const created = await books('users.csv');
  return {
    summary: JSON.parse(stdout),
    created: created.map(({ user_name }) => user_name),
    failures: await books('failures.csv'),
    stored,
    triggered: faults.triggered(),
  };
}

function sumOf({ created, existing, conflict, failed, invalid, unknown, pending }: Summary): number {
  return created + existing + conflict + failed + invalid + unknown + pending;
}

const without = (names: string[], others: string[]) => names.filter((name) => !others.includes(name));
const script = (name: string) =>
  readFile(new URL(`../../../fixtures/faults/${name}.json`, import.meta.url), 'utf8');
const entries = (...faults: Entry[]) => JSON.stringify({ faults });

test.each([1, 16])(
  'when answers are lost after the commit, each user is found and none is created twice (%i requests at once)',
  async (concurrency) => {
    const run = await rehearse(await script('lost-answers'), 120, concurrency);
    expect(run.triggered).toEqual([3, 3, 2, 2, 2]);
    // Twelve rows got no answer. Ten of them were committed; for two the connection was reset before that, and they
    // were sent again.
    expect(run.summary).toMatchObject({ rows: 120, created: 120, found_by_look_up: 10, existing: 0 });
    expect(run.summary).toMatchObject({ unknown: 0, pending: 0 });
    expect(run.failures).toEqual([]);
    expect(run.stored).toHaveLength(120);
    expect(run.created.sort()).toEqual(run.stored.sort());
  },
);

test('a token that expires during the import costs no row', async () => {
  const expiry = { operation: 'importHashedUser', when: { every: 30 }, do: { expire_token: true } };
  const run = await rehearse(entries(expiry), 100, 8);
  expect(run.triggered[0]).toBeGreaterThan(2);
  expect(run.summary).toMatchObject({ rows: 100, created: 100 });
  expect(run.stored).toHaveLength(100);
});

test('with a rate limit that the importer does not know, the rows over it wait, and every row is sent', async () => {
  const limit = { hidden_rate_limit: { per_second: 20, burst: 30 } };
  const run = await rehearse(entries({ operation: 'importHashedUser', do: limit }), 60, 4);
  expect(run.triggered[0]).toBeGreaterThan(0);
  expect(run.summary).toMatchObject({ rows: 60, created: 60, unknown: 0, failed: 0 });
  expect(run.stored.sort()).toEqual(run.created.sort());
});

test('a gateway that fails at random does the same to the same rows in every run', async () => {
  const rows = 150;
  const text = (await script('flaky-gateway')).replace('[5, 60]', '[1, 3]');
  const [first, second] = [await rehearse(text, rows, 1), await rehearse(text, rows, 1)];
  expect(first.triggered.every((times) => times > 0)).toBe(true);
  const told = ({ failures }: Rehearsal) => failures.map(({ row, code }) => ({ row, code }));
  expect(told(second)).toEqual(told(first));
  expect(second.triggered).toEqual(first.triggered);
  expect(sumOf(first.summary)).toBe(rows);
  expect(without(first.stored, first.created)).toEqual([]);
  expect(without(first.created, first.stored)).toEqual([]);
});
