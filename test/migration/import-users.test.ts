import { expect, test } from 'vitest';
import { ApiError, AuthenticationError, NetworkError } from '../../src/client/errors.ts';
import { errorExplanations } from '../../src/contract/error-explanations.ts';
import { errorCatalogue } from '../../src/contract/errors.ts';
import type { Progress } from '../../src/migration/model/summary.ts';
import { goodHashes } from './hashes.ts';
import { recordingClient, runImport } from './run-import.ts';

const header = 'user_name,external_id,algorithm,hash,key\n';
const md5Row = (name: string) => `${name},x-${name},md5,${goodHashes.md5},\n`;
const many = (count: number) => header + Array.from({ length: count }, (_, n) => md5Row(`u${n}`)).join('');
const { code, message } = errorCatalogue.userNameTaken;

test('an import continues after rejected rows, and writes the summary, the users and the failures', async () => {
  const client = recordingClient(({ user_name }) => {
    if (user_name === 'taken') throw new ApiError(code, message, 400);
    if (user_name === 'lost') throw new NetworkError('timeout', 'no answer', { effect: 'unknown' });
    if (user_name === 'unsent')
      throw new NetworkError('notTheApi', 'a page', { effect: 'none', status: 403 });
  });
  const content = `${header}${md5Row('ann')}${md5Row('taken')}${md5Row('lost')}${md5Row('unsent')}bob,,bcrypt,x,\n,,bcrypt,${goodHashes.bcrypt},\n`;
  let time = 10_000;
  const now = () => {
    time += client.sent.length === 0 ? 0 : 100;
    return time;
  };
  const run = await runImport(content, { concurrency: 1, now }, client);
  const { seconds } = run.summary;

  expect(run.summary).toEqual({
    job: expect.stringMatching(/job$/),
    target: { base_url: 'memory' },
    rows: 6,
    created: 2,
    found_by_look_up: 0,
    existing: 0,
    hashes_not_sent: 0,
    conflict: 0,
    failed: 2,
    invalid: 1,
    unknown: 1,
    pending: 0,
    resumed: false,
    dry_run: false,
    rehearsal: false,
    must_change_password: 5,
    must_change_by_default: 5,
    without_password: 0,
    to_disable: 0,
    same_hash: 0,
    without_login_name: 1,
    skipped: 0,
    ignored_columns: [],
    issues: { HASH_SHAPE: 1 },
    unknown_algorithms: {},
    seconds: expect.any(Number),
    rows_per_second: Math.round(6 / seconds),
    codes: { HASH_SHAPE: 1, NOT_REACHED: 1, NO_ANSWER: 1, [code]: 1 },
    not_verified: ['md5', 'bcrypt'],
    by_algorithm: {
      md5: { created: 1, failed: 2, canaries: 0 },
      bcrypt: { created: 1, failed: 1, canaries: 0 },
    },
  });
  expect(run.stoppedBy).toBeUndefined();
  expect(run.written).toContain(JSON.stringify(run.summary, null, 2));
  expect(run.users).toEqual([
    {
      row: '1',
      user_name: 'ann',
      external_id: 'x-ann',
      user_id: 'id-1',
      result: 'created',
      found_by_look_up: '',
      disabled: '',
    },
    {
      row: '6',
      user_name: '',
      external_id: '',
      result: 'created',
      found_by_look_up: '',
      disabled: '',
      user_id: expect.stringMatching(/^id-\d+$/),
    },
  ]);
  expect(run.failures).toMatchObject([
    {
      row: '2',
      line: '3',
      user_name: 'taken',
      external_id: 'x-taken',
      code,
      message,
      hint: errorExplanations.userNameTaken.remedy,
    },
    { row: '3', line: '4', user_name: 'lost', code: 'NO_ANSWER', message: 'no answer' },
    { row: '4', line: '5', user_name: 'unsent', code: 'NOT_REACHED', message: 'a page' },
    { row: '5', line: '6', user_name: 'bob', code: 'HASH_SHAPE' },
  ]);
});

test('a dry run checks everything and sends nothing', async () => {
  const { summary, sent, failures, users } = await runImport(`${many(5)}bob,,md5,x,\n`, { dryRun: true });
  expect(summary).toMatchObject({ rows: 6, created: 0, invalid: 1, pending: 5, dry_run: true });
  expect(summary.by_algorithm).toEqual({ md5: { created: 0, failed: 1, canaries: 0 } });
  expect([sent.length, failures.length, users.length]).toEqual([0, 1, 0]);
});

test('wrong credentials stop the run', async () => {
  const refused = new AuthenticationError('invalid_token', 'Invalid access', 400);
  const client = recordingClient((_, number) => {
    if (number > 3) throw refused;
  });
  const getUser = () => Promise.reject(refused);
  const { summary, stoppedBy } = await runImport(many(100), { concurrency: 4 }, { ...client, getUser });
  expect(stoppedBy).toBeInstanceOf(AuthenticationError);
  expect(summary).toMatchObject({ rows: 100, created: 3, failed: 0, pending: 97, codes: {} });
});

test('a row stays unknown if the service fails while it carries the row out', async () => {
  const client = recordingClient(({ user_name }) => {
    if (user_name === 'u1')
      throw new ApiError('SVC.TENANT.COM.0002', 'System busy, please try again later', 500);
  });
  const { summary, failures } = await runImport(many(3), { concurrency: 1 }, client);
  expect(summary).toMatchObject({ created: 2, failed: 0, unknown: 1, codes: {} });
  expect(failures).toMatchObject([
    { row: '2', code: 'NO_ANSWER', message: expect.stringContaining('COM.0002') },
  ]);
});

test('twenty answers in a row that are not from the API stop the run, and an answer of the API between them resets the count', async () => {
  const page = new NetworkError('notTheApi', 'a page', { effect: 'none', status: 404 });
  const strange = recordingClient(() => {
    throw page;
  });
  const stopped = await runImport(many(100), { concurrency: 1 }, strange);
  expect(stopped.stoppedBy).toMatchObject({ code: 'HOST_GONE', message: 'a page', cause: page });
  expect(stopped.summary).toMatchObject({ failed: 20, pending: 80, codes: { NOT_REACHED: 20 } });

  const mixed = recordingClient((_, number) => {
    if (number % 40 === 0) throw new ApiError(code, message, 400);
    if (number % 20 !== 0) throw page;
  });
  const went = await runImport(many(100), { concurrency: 1 }, mixed);
  expect(went.stoppedBy).toBeUndefined();
  expect(went.summary).toMatchObject({ created: 3, failed: 97, pending: 0 });
});

test('a failure that is not from the API stops the run, and its text is not printed', async () => {
  const client = recordingClient(({ 'hash-pwd': password }) => {
    throw new TypeError(`bad header ${password?.value}`);
  });
  const { summary, stoppedBy, written } = await runImport(many(5), { concurrency: 1 }, client);
  expect(stoppedBy).toBeInstanceOf(TypeError);
  expect(summary).toMatchObject({ unknown: 1, pending: 4 });
  expect(written).not.toContain(goodHashes.md5);
});

test('a signal stops the run between two rows', async () => {
  const controller = new AbortController();
  const client = recordingClient((_, number) => {
    if (number === 10) controller.abort();
  });
  const { summary, stoppedBy } = await runImport(
    many(50),
    { concurrency: 1, signal: controller.signal },
    client,
  );
  expect(stoppedBy?.name).toBe('AbortError');
  expect(summary).toMatchObject({ created: 10, pending: 40 });
});

test('a signal that is aborted before the file was counted ends the run with its reason', async () => {
  const client = recordingClient();
  await expect(runImport(many(5), { signal: AbortSignal.abort() }, client)).rejects.toThrow('aborted');
  expect(client.sent).toEqual([]);
});

test('progress counts up to the total', async () => {
  const steps: Progress[] = [];
  await runImport(`${many(2)}bob,,md5,x,\n`, {
    concurrency: 1,
    onProgress: (progress) => steps.push(progress),
  });
  expect(steps).toEqual([
    { total: 3, done: 0, created: 0, isCheck: false, failed: 0, invalid: 0 },
    { total: 3, done: 1, created: 1, isCheck: false, failed: 0, invalid: 0 },
    { total: 3, done: 2, created: 2, isCheck: false, failed: 0, invalid: 0 },
    { total: 3, done: 3, created: 2, isCheck: false, failed: 0, invalid: 1 },
  ]);
});

test('a concurrency below 1 is rejected', async () => {
  await expect(runImport(many(1), { concurrency: 0 })).rejects.toThrow(RangeError);
});
