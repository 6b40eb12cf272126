import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { type AuthStyle, authStyles } from '../../../src/client/token.ts';
import { startPeer } from '../../client/start-peer.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';
import { firstLine, startProgram, textOf } from '../process/start-program.ts';
import { commandRuns } from './command-runs.ts';
import { isOf, writeGiven } from './given-files.ts';
import { planted, tracesBelow, tracesIn } from './secrets.ts';
import { usual } from './troubles.ts';

/** Records at the end of a process what others could see of it, and of every process that it starts. */
const witness = `
const { appendFileSync, readFileSync } = require('node:fs');
const { ChildProcess } = require('node:child_process');
const note = (what) => appendFileSync(process.env.WITNESS, JSON.stringify(what) + '\\n');
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  note({ started: options.args });
  return spawn.call(this, options);
};
process.on('exit', () => {
  const seen = process.platform === 'linux' ? readFileSync('/proc/self/cmdline', 'utf8') : '';
  note({ title: process.title, argv: process.argv, execArgv: process.execArgv, seen });
});
`;

/** Runs a command to its end. Returns its exit code and what others could see of its processes. */
async function watch(args: string[], stdin: string | undefined, env: Record<string, string>) {
  const directory = await temporaryDirectory();
  const [witnessFile, notes] = [join(directory, 'witness.cjs'), join(directory, 'notes')];
  await writeFile(witnessFile, witness);
  const started = await startProgram(args, {
    ...env,
    NODE_OPTIONS: `--require=${witnessFile}`,
    WITNESS: notes,
  });
  const ended = once(started, 'close');
  started.stdin?.end(stdin);
  const told = textOf(started.stderr);
  if (args[0] === 'serve') {
    await firstLine(started);
    started.kill('SIGTERM');
  }
  const [[exitCode]] = await Promise.all([ended, args[0] === 'serve' ? '' : textOf(started.stdout), told]);
  return { exitCode, seen: await readFile(notes, 'utf8') };
}

/**
 * Commands that get secrets in every way: from files, standard input, the environment and a file of users. For every
 * command, `planted-secrets.test.ts` checks in its own process that no program is started and that the title of the
 * process stays.
 */
const watchedPaths = [
  'import-hashes',
  'login',
  'mcp',
  'serve',
  'sso ticket',
  'users create',
] as const satisfies readonly (keyof typeof commandRuns)[];

test.each(watchedPaths)('no process of %s has a secret in its arguments or its title', async (path) => {
  const peer = await startPeer(usual);
  const given = await temporaryDirectory();
  await writeGiven(given);
  let number = 0;
  const place = {
    given: (file: string) => join(given, file),
    fresh: (what: string) => join(given, `${++number}-${what}`),
  };
  const env = {
    TENANT_USERS_BASE_URL: peer.baseUrl,
    TENANT_USERS_CLIENT_ID: 'app',
    TENANT_USERS_CLIENT_SECRET: planted.clientSecret,
    http_proxy: `http://user:${encodeURIComponent(planted.proxyPassword)}@127.0.0.1:1`,
    NO_PROXY: '*',
  };
  // A secret that a user wrote into the command line cannot be hidden.
  const steps = commandRuns[path](place).filter(({ args }) => tracesIn(args.join(' ')).length === 0);
  const watched = steps.filter((step) => isOf(path, step)).slice(0, 3);
  expect(watched.length).toBeGreaterThan(0);
  const exitCodes: unknown[] = [];
  for (const step of steps) {
    const { args, stdin = '' } = step;
    if (watched.includes(step)) {
      const { exitCode, seen } = await watch(args, stdin, env);
      exitCodes.push(exitCode);
      expect(seen).toContain(JSON.stringify(args[0]));
      expect(tracesIn(seen), seen).toEqual([]);
    } else if (!isOf(path, step)) {
      await runCommand(args, { env, stdin, configDirectory: given });
    }
  }
  // A command line that is refused does nothing that others could see.
  expect(exitCodes.some((code) => code !== 2)).toBe(true);
});

test('serve logs every request without any secret of it', async () => {
  const directory = await temporaryDirectory();
  const args = [
    'serve',
    '--port',
    '0',
    '--database',
    join(directory, 'local.db'),
    '--log-level',
    'info',
    '--json',
  ];
  const env = { TENANT_USERS_CLIENT_ID: 'app', TENANT_USERS_CLIENT_SECRET: planted.clientSecret };
  const started = await startProgram(args, env);
  const told = textOf(started.stderr);
  const first = await firstLine(started);
  const baseUrl: string = JSON.parse(first).base_url;
  const clientOf = (clientSecret: string, authStyle: AuthStyle) => {
    const client = createClient({ baseUrl, clientId: 'app', clientSecret, authStyle });
    onTestFinished(() => client.close());
    return client;
  };
  const { password: pwd, md5: value, hmac, key, ticket } = planted;
  const device = { operating_sys_version: '1', device_ip: '10.0.0.7', device_fingerprint: 'f' };
  const asked: Promise<unknown>[] = [];
  for (const style of authStyles) {
    const right = clientOf(planted.clientSecret, style);
    const wrong = clientOf(planted.proxyPassword, style);
    const keyed = { algorithm: 'hmacsha256_base64_key', value: hmac, key } as const;
    asked.push(
      wrong.obtainToken(),
      right.createUser({ user_name: 'ann', pwd }),
      right.importHashedUser({ user_name: 'bob', 'hash-pwd': { algorithm: 'md5', value } }),
      right.importHashedUser({ user_name: 'cid', 'hash-pwd': keyed }),
      right.logIn('bob', pwd, device),
      right.issueSsoTicket(planted.token, device),
      right.verifySsoTicket({ sso_ticket: ticket, ...device }),
    );
  }
  const header = { authorization: `Bearer ${planted.token}`, 'content-type': 'application/json' };
  const body = `{"pwd": "${pwd}`;
  asked.push(fetch(`${baseUrl}/api/v2/tenant/users?x=${value}`, { method: 'POST', headers: header, body }));
  const ended = await Promise.allSettled(asked);
  expect(ended.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(3);
  started.kill('SIGTERM');
  const log = await told;
  expect(log.split('\n').length).toBeGreaterThan(asked.length);
  expect(tracesIn(first + log), log).toEqual([]);
  expect(tracesBelow(directory, () => ['md5', 'hmac', 'key'])).toEqual([]);
});
