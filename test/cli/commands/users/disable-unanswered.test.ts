import { expect, test } from 'vitest';
import { anyAnswer, json, startPeer } from '../../../client/start-peer.ts';
import { environmentFor, startWorld } from '../../../world.ts';

const ids = ['u-1', 'u-2', 'u-3', 'u-4', 'u-5'];

/** A service that cuts the connection at each change of these users, as one does that dies after its commit. */
async function cutting(...cut: string[]) {
  const { runWith } = await startWorld();
  const { baseUrl, calls } = await startPeer({
    call(received, response) {
      const [user_id = ''] = /u-\d/.exec(received.url) ?? [];
      if (received.method === 'PUT' && cut.includes(user_id)) response.destroy();
      else if (user_id === 'u-9') json(400, { error_code: 'SVC.TENANT.USER.0001' })(received, response);
      else json(200, { ...anyAnswer, user_id })(received, response);
    },
  });
  const run = (...words: string[]) => runWith({ env: environmentFor(baseUrl) }, ...words);
  return { baseUrl, calls, run };
}

test('a user whose change got no answer is not counted as left enabled', async () => {
  const { baseUrl, run } = await cutting('u-2');
  const ended = await run('disable', 'u-1', 'u-2', 'u-3', '--yes', '--json', '--base-url', baseUrl);
  expect(ended).toMatchObject({ exitCode: 7, stderr: '' });
  expect(JSON.parse(ended.stdout).results).toEqual([
    { user_id: 'u-1', ok: true, action: 'disabled' },
    {
      user_id: 'u-2',
      ok: false,
      error: expect.objectContaining({
        code: 'NETWORK',
        hint: `The user may be disabled. To see it: tenant-users --base-url ${baseUrl} get u-2`,
      }),
    },
    { user_id: 'u-3', ok: true, action: 'disabled' },
  ]);
  const said = await run('disable', 'u-1', 'u-2', '--yes');
  expect(said.stderr).toContain('1 of 2 disabled; 1 got no clear answer, and may be disabled\n');
});

test('disable ends after three users without an answer, with exit code 9, and says who was not tried', async () => {
  const { calls, run } = await cutting(...ids);
  const ended = await run('disable', ...ids, '--yes');
  expect(ended).toMatchObject({
    exitCode: 9,
    stderr: expect.stringContaining(
      '0 of 5 disabled; 3 got no clear answer, and may be disabled; the service does not answer, so 2 were not tried\n',
    ),
  });
  const changed = new Set(
    calls.filter(({ method }) => method === 'PUT').map(({ url }) => /u-\d/.exec(url)?.[0]),
  );
  expect([...changed]).toEqual(['u-1', 'u-2', 'u-3']);
  const why = 'not tried, because the service does not answer';
  const listed = JSON.parse((await run('disable', ...ids, '--yes', '--json')).stdout).results;
  expect(listed.map(({ user_id }: { user_id: string }) => user_id)).toEqual(ids);
  expect(listed[4]).toMatchObject({ ok: false, error: { code: 'NETWORK', message: why, retryable: true } });
  // Who was not found is not to be tried again.
  const unknown = JSON.parse((await run('disable', ...ids, 'u-9', '--yes', '--json')).stdout).results;
  expect(unknown[5]).toMatchObject({ user_id: 'u-9', error: { code: 'SVC.TENANT.USER.0001' } });
  const quiet = await run('disable', ...ids, '--yes', '-q');
  expect(quiet).toMatchObject({ exitCode: 9, stdout: '', stderr: expect.stringContaining(`u-5: ${why}\n`) });
});

test('a user whose change is answered with an error beside the id does not count as disabled', async () => {
  const { runWith } = await startWorld();
  const failed = { error_code: 'SVC.TENANT.COM.0001', error_msg: 'Internal error' };
  const { baseUrl } = await startPeer({
    call(received, response) {
      const isChange = received.method === 'PUT';
      json(200, { ...anyAnswer, ...(isChange ? failed : {}) })(received, response);
    },
  });
  const ended = await runWith({ env: environmentFor(baseUrl) }, 'disable', 'u-1', '--yes');
  expect(ended.exitCode).toBe(6);
  expect(ended.stderr).toContain('0 of 1 disabled; 1 got no clear answer, and may be disabled\n');
});
