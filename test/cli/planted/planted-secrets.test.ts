import { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { toolsWith } from '../../../src/cli/mcp/tools.ts';
import { buildProgram } from '../../../src/cli/program.ts';
import { type Answer, startPeer } from '../../client/start-peer.ts';
import { commandPaths } from '../../runnable-commands.mjs';
import { runCommand, temporaryDirectory } from '../../world.ts';
import { commandRuns } from './command-runs.ts';
import { isOf, type Place, type Step, writeGiven } from './given-files.ts';
import { planted, type SecretName, tracesBelow, tracesIn } from './secrets.ts';
import { none, type Trouble, troubles, usual } from './troubles.ts';

test('every command of the program is run with the secrets', () => {
  expect(commandPaths(buildProgram({} as Parameters<typeof buildProgram>[0]))).toEqual(
    Object.keys(commandRuns).sort(),
  );
});

test('every tool of an agent is called with the secrets', () => {
  const place: Place = { given: (file) => file, fresh: (what) => what };
  const called = commandRuns.mcp(place).map(({ stdin }) => stdin ?? '');
  const isCalled = (tool: string) => called.some((text) => text.includes(`"name":"${tool}"`));
  expect(Object.keys(toolsWith(undefined)).filter((tool) => !isCalled(tool))).toEqual([]);
});

test('the search finds a secret in every form', () => {
  for (const [name, secret] of Object.entries(planted)) {
    const pair = `app:${secret}`;
    const texts = [
      secret.toUpperCase(),
      JSON.stringify({ error: JSON.stringify({ secret }) }),
      `?secret=${encodeURIComponent(secret)}`,
      `${new URLSearchParams({ secret })}`,
      Buffer.from(pair).toString('base64'),
      Buffer.from(secret).toString('hex'),
    ];
    for (const text of texts) expect(tracesIn(`said: ${text}.`), text).toEqual([name]);
    expect(tracesIn(texts.join(), [name as SecretName])).toEqual([]);
  }
  expect(tracesIn('nothing')).toEqual([]);
});

const { title } = process;
// The method that starts a program is missing in the types.
const startProgram = vi.spyOn(ChildProcess.prototype as unknown as { spawn(): number }, 'spawn');
afterAll(() => startProgram.mockRestore());

/**
 * An error has two formats. It is printed in one place, whatever the command: so a command meets half of the troubles in
 * one of them, the others in the other one, and for the next command it is the other way round.
 */
const errorFormats = [['--json'], []];
const formats = [...errorFormats, ['-o', 'jsonl'], ['-o', 'csv'], ['--quiet']];
const proxy = `http://user:${encodeURIComponent(planted.proxyPassword)}@127.0.0.1:1`;

/**
 * `config.json` may contain the credentials of the profiles, and a local service stores the hashes that it verifies.
 */
function allowed(file: string): readonly SecretName[] {
  if (file.endsWith('config.json')) return ['clientSecret', 'token'];
  if (/local\.db(-wal)?$/.test(file)) return ['md5', 'hmac', 'key'];
  return [];
}

/** A profile with a valid token, as `login` stores it. */
function configOf(baseUrl: string): string {
  const { clientSecret: client_secret, token: access_token } = planted;
  const token = { access_token, expires_at: Date.now() + 1e6, scope: 'all' };
  const profile = { base_url: baseUrl, client_id: 'app', client_secret, token };
  return JSON.stringify({ current: 'default', profiles: { default: profile, other: profile } });
}

type Path = keyof typeof commandRuns;

/** The command lines of a command, with the files of a directory: first those that prepare for it. */
function stepsOf(path: Path, home: string) {
  let number = 0;
  const place: Place = {
    given: (file) => join(given, file),
    fresh: (what) => join(home, `${++number}-${what}`),
  };
  const steps = commandRuns[path](place);
  const first = steps.findIndex((step) => isOf(path, step));
  return { preparing: steps.slice(0, first), own: steps.slice(first) };
}

/** The exit codes and secrets of command lines, and how many of these there are up to the last that sent a request. */
interface Ran {
  exitCodes: number[];
  leaks: string[];
  asking: number;
}

/**
 * Starts a service with one trouble for all commands. Returns a function that runs a command in some output formats: all
 * its command lines, or the first `most` of them. The command lines that prepare for it are tested elsewhere. They run
 * once, also for several commands, and each format gets a copy of their files. If one of them sent a request, all
 * command lines count as sending one.
 */
async function startTrouble(trouble: Trouble) {
  let stop = new AbortController();
  let calls = 0;
  /**
   * Whether the command line has sent a request, also one for a token. Most command lines find a valid token in the
   * configuration.
   */
  let isAsking = false;
  const { interruptAt = Number.POSITIVE_INFINITY, timeout = '2' } = trouble;
  const answering =
    (answer: Answer): Answer =>
    (received, response) => {
      isAsking = true;
      answer(received, response);
    };
  const count =
    (answer: Answer): Answer =>
    (received, response) => {
      calls += 1;
      answering(answer)(received, response);
      if (calls >= interruptAt) stop.abort('SIGINT');
    };
  const answers = {
    token: trouble.token ? count(trouble.token) : answering(usual.token),
    call: count(trouble.call ?? usual.call),
  };
  const peer = await startPeer(answers, afterAll);
  const known = {
    TENANT_USERS_CLIENT_ID: 'app',
    TENANT_USERS_CLIENT_SECRET: planted.clientSecret,
    TENANT_USERS_BASE_URL: peer.baseUrl,
  };
  const env = { ...(trouble.config ? {} : known), http_proxy: proxy, NO_PROXY: '*', ...trouble.env };
  const runAll = async (path: Path, steps: readonly Step[], home: string, format: readonly string[]) => {
    const ran: Ran = { exitCodes: [], leaks: [], asking: 0 };
    for (const [index, { args, stdin }] of steps.entries()) {
      writeFileSync(join(home, 'config.json'), trouble.config ?? configOf(peer.baseUrl));
      const begun = new AbortController();
      stop = begun;
      calls = 0;
      isAsking = false;
      if (interruptAt === 0) setImmediate(() => begun.abort('SIGTERM'));
      const all = [...args.slice(0, 1), '--verbose', '--timeout', timeout, ...format, ...args.slice(1)];
      const more = args.includes('--') ? [] : (trouble.args ?? []);
      const input = stdin === undefined ? {} : { stdin };
      const ending = path === 'serve' && !trouble.args ? ({ signalAtOutput: 'SIGTERM' } as const) : {};
      const surroundings = { env, signal: stop.signal, configDirectory: home, ...input, ...ending };
      const { exitCode, stdout, stderr } = await runCommand([...all, ...more], surroundings);
      ran.exitCodes.push(exitCode);
      if (isAsking) ran.asking = index + 1;
      for (const [stream, text] of Object.entries({ stdout, stderr })) {
        ran.leaks.push(...tracesIn(text).map((secret) => `${all.join(' ')}, ${stream}: ${secret}: ${text}`));
      }
    }
    return ran;
  };
  // A job belongs to the address of its service, so its files are of use as long as this service runs.
  const kept = await temporaryDirectory(afterAll);
  const prepared = new Map<string, Ran & { home: string }>();
  const prepare = async (path: Path, format: readonly string[]) => {
    const key = JSON.stringify(stepsOf(path, '').preparing);
    const earlier = prepared.get(key);
    if (earlier) return earlier;
    const home = join(kept, `${prepared.size}`);
    mkdirSync(home);
    const ran = await runAll(path, stepsOf(path, home).preparing, home, format);
    const asking = ran.asking > 0 ? Number.POSITIVE_INFINITY : 0;
    const all = { ...ran, asking, home };
    prepared.set(key, all);
    return all;
  };
  return async (path: Path, shownIn: readonly string[][], most?: number): Promise<Ran> => {
    const directory = await temporaryDirectory();
    const first = await prepare(path, shownIn[0] ?? []);
    const all: Ran[] = [first];
    for (const [index, format] of shownIn.entries()) {
      const home = join(directory, `${index}`);
      cpSync(first.home, home, { recursive: true });
      all.push(await runAll(path, stepsOf(path, home).own.slice(0, most), home, format));
    }
    return {
      exitCodes: all.flatMap(({ exitCodes }) => exitCodes),
      leaks: [...all.flatMap(({ leaks }) => leaks), ...tracesBelow(directory, allowed)],
      asking: Math.max(...all.map(({ asking }) => asking)),
    };
  };
}

const given = await temporaryDirectory(afterAll);
await writeGiven(given);
const meetNone = await startTrouble(none);
const meetings = await Promise.all(
  Object.entries(troubles).map(async ([name, trouble]) => ({
    name,
    trouble,
    meet: await startTrouble(trouble),
  })),
);

const names = Object.keys(commandRuns) as Path[];

test.each(names)('%s reveals no secret, whatever goes wrong', { timeout: 180_000 }, async (path) => {
  // An agent gets the same messages in each format.
  const { asking, ...usually } = await meetNone(path, path === 'mcp' ? [['--json']] : formats);
  expect(usually.leaks).toEqual([]);
  // The service lists no users, so a comparison finds differences.
  expect(usually.exitCodes).toContain(path === 'compare' ? 7 : 0);
  // Command lines that send no request are not affected by an answer. The cases run in parallel, since they wait most
  // of the time.
  const cases = meetings.map(async ({ name, trouble, meet }, number) => {
    const isAnswer = trouble.call !== undefined || trouble.token !== undefined;
    if (isAnswer && asking === 0) return;
    const format = errorFormats[(number + names.indexOf(path)) % errorFormats.length] ?? [];
    const { exitCodes, leaks } = await meet(path, [format], isAnswer ? asking : undefined);
    expect(leaks, name).toEqual([]);
    // Completion never fails, since a person is typing.
    if (trouble.args && path !== 'complete') expect(new Set(exitCodes), name).toEqual(new Set([2]));
  });
  await Promise.all(cases);
  // Everybody on the machine can read the arguments of a program, and the title of a process.
  expect(startProgram).not.toHaveBeenCalled();
  expect(process.title).toBe(title);
});
