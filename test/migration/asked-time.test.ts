import { expect, test } from 'vitest';
import { applyPlan } from '../../src/migration/apply-plan.ts';
import { goodHashes } from './hashes.ts';
import { countingTenant, facts, planFor } from './plan/counting-tenant.ts';
import { inDirectory, recordingClient, runImport } from './run-import.ts';

/** A clock that a call or a person makes go on. */
function clock() {
  let time = Date.UTC(2026, 0, 2);
  return {
    now: () => time,
    pass(seconds: number) {
      time += seconds * 1000;
    },
  };
}

test('the time in which a person is asked is no part of an import', async () => {
  const { now, pass } = clock();
  const client = recordingClient(() => pass(1));
  const { summary } = await runImport(
    `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\nbob,md5,${goodHashes.md5}\n`,
    { now, onPreview: () => pass(25) },
    client,
  );
  expect(summary).toMatchObject({ created: 2, seconds: 2, rows_per_second: 1 });
});

test('nor of the application of a plan', async () => {
  await inDirectory(async (directory) => {
    const { now, pass } = clock();
    const { tenant } = await countingTenant();
    const to = await planFor(tenant, directory, 4);
    const options = { ...facts, jobDirectory: to, now, isAsked: true, onPlan: () => pass(25) };
    const { summary } = await applyPlan(tenant, options);
    expect(summary).toMatchObject({ updated: 2, disabled: 2, seconds: 0 });
  });
});
