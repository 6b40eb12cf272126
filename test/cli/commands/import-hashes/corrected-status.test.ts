import { expect, test } from 'vitest';
import { openJob } from '../../../../src/migration/journal/reading/open-job.ts';
import { planFaults } from '../../../../src/service/fault-injection/plan.ts';
import type { ServiceOptions } from '../../../../src/service/open-service.ts';
import { goodHashes } from '../../../migration/hashes.ts';
import { forgetOutcomes } from '../../../migration/journal/forget-outcomes.ts';
import { scriptOf } from '../../../service/fault-injection/script-of.ts';
import { startRecordedJob } from './recorded-job.ts';

const named =
  'fields: { user_name: { column: name }, email: { column: mail }, pwd_must_modify: { value: false } }';
const password = 'password: { column: hash, algorithm: { value: md5 } }';
/** The same, and one more attribute. */
const more = named.replace(/}$/, ', name: { column: name } }');
const disable = 'disable: { where: { column: status, in: [L] } }';
const other = '0'.repeat(32);

/** Starts a tenant, and a job that imports people: name, status and, for a row that fails, another hash. */
async function startJob(options: Partial<ServiceOptions> = {}, fields = named) {
  const job = await startRecordedJob(options);
  const importing = (people: readonly string[], recipe: readonly string[], ...args: string[]) => {
    const rows = people.map((person) => {
      const [name, status, hash = goodHashes.md5] = person.split(' ');
      return `${name},${name}@example.com,${status},${hash}\n`;
    });
    const csv = `name,mail,status,hash\n${rows.join('')}`;
    return job.importFile(csv, `${[fields, password, ...recipe].join('\n')}\n`, ...args);
  };
  return { ...job, importing };
}

const corrected = ['--only', 'failed'];

test.each([
  ['recipe', ['ann L', 'bob A'], [], ['ann L', 'bob A']],
  ['file', ['ann A', 'bob A'], [disable], ['ann L', 'bob A']],
])(
  'a user of the job who is disabled only in the corrected %s is named as DISABLE, and a plan disables them',
  async (_, first, recipe, later) => {
    const { importing, disabled, within, run } = await startJob();
    expect(await importing(first, recipe)).toMatchObject({ exitCode: 0, summary: { created: 2 } });
    const ended = await importing(later, [disable], ...corrected);
    expect(ended).toMatchObject({ exitCode: 7, summary: { created: 2, codes: { DISABLE: 1 } } });
    // Before anything is sent, and at the end.
    expect(ended.stderr.split('Warning: 1 user stays enabled')).toHaveLength(3);
    const [, advised = ''] =
      /\nNext: Disable the user with a plan.*\n {2}tenant-users (.*)\n/.exec(ended.stderr) ?? [];
    expect(advised).toMatch(/^plan \S+ --recipe \S+ --only disable$/);
    expect(ended.failures).toMatch(/\n1,2,ann,,DISABLE,/);
    expect(await disabled()).toEqual([]);
    const plan = [...advised.split(' '), '--to', within('plan'), '--at-most', 'disable=1'];
    expect(await run(...plan)).toMatchObject({ exitCode: 0 });
    // As long as nobody has disabled them, this says so again.
    const again = await importing(later, [disable], ...corrected);
    expect(again).toMatchObject({ exitCode: 7, summary: { created: 2, codes: { DISABLE: 1 } } });
    expect(await run('apply', within('plan'), '--yes')).toMatchObject({ exitCode: 0 });
    expect(await disabled()).toEqual(['ann']);
    const done = await importing(later, [disable], ...corrected, '--progress', 'jsonl');
    expect(done).toMatchObject({ exitCode: 0, summary: { created: 2, codes: {} } });
    const last = done.stderr.split('\n').findLast((line) => line.includes('"what":"rows"'));
    expect(JSON.parse(last ?? '').progress).toMatchObject({ done: 2, created: 2, failed: 0 });
    const back = await importing(['ann A', 'bob A'], [disable], ...corrected);
    expect(back).toMatchObject({ exitCode: 7, summary: { created: 2, codes: { ENABLE: 1 } } });
  },
);

test.each([
  ['the row has other values too', more, {}, { VALUES_CHANGED: 2 }],
  ['the user has another address now', named, { email: 'ann.lee@example.com' }, {}],
])('a user of the job who is disabled meanwhile is seen to be: %s', async (_, fields, changes, codes) => {
  const { importing, client } = await startJob({}, '');
  await importing(['ann A', 'bob A'], [named, disable]);
  const later = () => importing(['ann L', 'bob A'], [fields, disable], ...corrected);
  expect(await later()).toMatchObject({ exitCode: 7, summary: { codes: { DISABLE: 1 } } });
  const { user_id: id } = await client.getUserByUserName('ann');
  await client.updateUser(id, changes);
  await client.disableUser(id);
  for (const _ of ['once', 'again']) {
    const ended = await later();
    expect(ended.summary).toMatchObject({ created: 2, failed: 0 });
    expect([ended.exitCode, ended.summary.codes]).toEqual([Object.keys(codes).length > 0 ? 7 : 0, codes]);
  }
});

test('a row that takes the name of a user of the job disables nobody', async () => {
  const { importing, disabled } = await startJob();
  const twin = 'ann L 11111111111111111111111111111111';
  const first = await importing(['ann A', twin, 'bob A'], [disable]);
  expect(first.failures).toMatch(/^[^\n]*\n2,3,ann,,DUPLICATE_USER_NAME,.*\n$/);
  const damaged = await importing(['ann A cut', twin, 'bob A'], [disable], ...corrected);
  expect([damaged.exitCode, damaged.summary.codes]).toEqual([7, { DUPLICATE_USER_NAME: 1, HASH_SHAPE: 1 }]);
  const alone = await importing([twin, 'bob A'], [disable], ...corrected);
  expect([alone.exitCode, alone.summary.codes]).toEqual([7, { DISABLE: 1 }]);
  expect(await disabled()).toEqual([]);
});

test('a user who was there before, and is disabled only in the corrected file, is reported', async () => {
  const { importing, client } = await startJob();
  await client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  expect(await importing(['ann A', 'bob A'], [disable])).toMatchObject({ summary: { existing: 1 } });
  const ended = await importing(['ann L', 'bob L'], [disable], ...corrected);
  expect(ended).toMatchObject({
    exitCode: 7,
    summary: { created: 1, failed: 1, codes: { NOT_DISABLED: 1, DISABLE: 1 } },
  });
  expect(ended.summary.without_row).toBeUndefined();
  // A plan does not know that the import left her alone on purpose.
  expect(ended.stderr).toContain('The plan disables also 1 user who was there before (NOT_DISABLED): check');
});

test('a user who was there before, and is disabled meanwhile as the corrected file says, is an existing user', async () => {
  const { importing, client } = await startJob();
  const { user_id: id } = await client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  await importing(['ann A', 'bob A'], [disable]);
  await client.disableUser(id);
  const ended = await importing(['ann L', 'bob A'], [disable], ...corrected);
  expect(ended).toMatchObject({ exitCode: 0, summary: { created: 1, existing: 1, codes: {} } });
  expect(ended.summary.without_row).toBeUndefined();
});

test.each([
  ['the same file', ['ann L', 'bob A']],
  ['a corrected file', ['ann L', 'bob A', 'cyd A']],
])('--only failed with %s sees that a user who was there before was disabled by hand', async (_, later) => {
  const { importing, client, disabled } = await startJob();
  const { user_id: id } = await client.createUser({ user_name: 'ann', email: 'ann@example.com' });
  const left = { exitCode: 7, summary: { created: 1, failed: 1, codes: { NOT_DISABLED: 1 } } };
  expect(await importing(['ann L', 'bob A'], [disable])).toMatchObject(left);
  // As long as nobody has disabled them, this says so again, and disables nobody.
  expect(await importing(['ann L', 'bob A'], [disable], ...corrected)).toMatchObject(left);
  expect(await disabled()).toEqual([]);
  await client.disableUser(id);
  const ended = await importing(later, [disable], ...corrected, '--progress', 'jsonl');
  const created = later.length - 1;
  expect(ended).toMatchObject({ exitCode: 0, summary: { created, existing: 1, failed: 0, codes: {} } });
  expect(ended.failures).toMatch(/^[^\n]*\n$/);
  const last = ended.stderr.split('\n').findLast((line) => line.includes('"what":"rows"'));
  expect(JSON.parse(last ?? '').progress).toMatchObject({ done: later.length, created, failed: 0 });
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(later.length);
});

test('a user of the job without a unique identifier is named as DISABLE, and nobody else is created', async () => {
  const external = 'fields: { external_id: { column: name }, pwd_must_modify: { value: false } }';
  const { importing, client, disabled } = await startJob({}, external);
  expect(await importing(['x1 A', 'x2 A'], [disable])).toMatchObject({ exitCode: 0 });
  const ended = await importing(['x1 L', 'x2 A'], [disable], ...corrected);
  expect(ended).toMatchObject({ exitCode: 7, summary: { created: 2, codes: { DISABLE: 1 } } });
  expect(await disabled()).toEqual([]);
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(2);
});

test('a user of the job who could not be disabled is disabled by the next run, also with a corrected file', async () => {
  const failing = { operation: 'disableUser', when: { to: 8 }, do: { status: 500 } };
  const faults = planFaults(scriptOf(JSON.stringify({ faults: [failing] })), Date.now);
  const { importing, disabled, within } = await startJob({ faults });
  const ended = await importing(['ann L', 'bob A'], [disable]);
  expect(ended).toMatchObject({
    exitCode: 7,
    summary: { created: 1, failed: 1, codes: { NOT_DISABLED: 1 } },
  });
  expect(ended.failures).toMatch(/\n1,2,ann,,NOT_DISABLED,/);
  expect(await disabled()).toEqual([]);
  const next = await importing(['bob A', 'ann L'], [disable], ...corrected);
  expect(next).toMatchObject({ exitCode: 0, summary: { created: 2, codes: {} } });
  expect(await disabled()).toEqual(['ann']);
  // What was sent is still known, so that no later plan need look her up.
  const { connection } = await openJob(within('job'));
  const sent = connection.prepare('SELECT sent_values, sent_hash FROM outcomes').all();
  connection.close();
  expect(sent).toEqual([1, 2].map(() => ({ sent_values: null, sent_hash: null })));
});

test('a user who is not disabled any more in the corrected file stays disabled, and is named as ENABLE', async () => {
  const { importing, disabled } = await startJob();
  await importing(['ann L', 'bob L', 'cyd A'], [disable]);
  const later = ['ann A', 'bob A', 'cyd A'];
  const ended = await importing(later, [disable], ...corrected);
  expect(ended).toMatchObject({ exitCode: 7, summary: { created: 3, codes: { ENABLE: 2 } } });
  const notice = '2 users stay disabled, although the file does not say so';
  // Before anything is sent, and at the end.
  expect(ended.stderr.split(`Warning: ${notice}`)).toHaveLength(3);
  expect(ended.stderr).toContain('Ask the operator of the service to enable the 2 users');
  expect(ended.failures).toMatch(/\n1,2,ann,,ENABLE,.*\n2,3,bob,,ENABLE,/);
  expect(await disabled()).toEqual(['ann', 'bob']);
  const back = await importing(['ann L', 'bob L', 'cyd A'], [disable], ...corrected);
  expect(back).toMatchObject({ exitCode: 0, summary: { created: 3, codes: {} } });
});

test('a user who is not disabled any more is named as ENABLE, whatever else has changed in the recipe', async () => {
  const { importing, disabled } = await startJob({}, '');
  await importing(['ann A', 'bob L'], [named, disable.replace('[L]', '[A]')]);
  expect(await disabled()).toEqual(['ann']);
  const ended = await importing(['ann A', 'bob L'], [more], ...corrected);
  expect(ended).toMatchObject({ exitCode: 7, summary: { created: 2, codes: { ENABLE: 1 } } });
});

test.each([
  ['another hash', other, { HASH_CHANGED: 1 }],
  ['the same hash', goodHashes.md5, {}],
])(
  'a user of the job who was not disabled, and is active in the corrected file, stays of the job: the row has %s',
  async (_, hash, codes) => {
    const fault = { operation: 'disableUser', when: { to: 8 }, do: { status: 500 } };
    const faults = planFaults(scriptOf(JSON.stringify({ faults: [fault] })), Date.now);
    const { importing } = await startJob({ faults });
    expect(await importing(['ann L', 'bob A'], [disable])).toMatchObject({ summary: { failed: 1 } });
    const ended = await importing([`ann A ${hash}`, 'bob A'], [disable], ...corrected);
    const exitCode = Object.keys(codes).length > 0 ? 7 : 0;
    expect(ended).toMatchObject({ exitCode, summary: { created: 2, existing: 0, failed: 0, codes } });
    expect(ended.summary.codes).toEqual(codes);
    expect(ended.summary.without_row).toBeUndefined();
  },
);

test.each([
  ['before a kill', 'createUser'],
  ['after a kill', 'disableUser'],
])(
  'a user with other values in the tenant who was disabled %s is named as ENABLE later',
  async (_, operation) => {
    const fault = { operation, when: { to: 8 }, do: { status: 500 } };
    const faults = planFaults(scriptOf(JSON.stringify({ faults: [fault] })), Date.now);
    const { importing, disabled, client, within } = await startJob({ faults }, '');
    const recipe = [named.replace(/}$/, ', attr_nick_name: { column: name } }'), disable];
    await importing(['bob A', 'ann L'], recipe);
    await forgetOutcomes(within('job'), 1);
    const { user_id: id } = await client.getUserByUserName('ann');
    await client.updateUser(id, { attr_nick_name: 'Annie' });
    const ended = await importing(['bob A', 'ann L'], recipe);
    expect(ended).toMatchObject({ exitCode: 0, summary: { created: 2, found_by_look_up: 1 } });
    expect(await disabled()).toEqual(['ann']);
    const later = await importing(['bob A', 'ann A'], recipe, ...corrected);
    expect(later).toMatchObject({ exitCode: 7, summary: { created: 2, codes: { ENABLE: 1 } } });
  },
);
