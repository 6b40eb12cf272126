import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as readline from 'node:readline';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { application } from '../../test-service.ts';
import { startWorld } from '../../world.ts';
import { startSilence } from '../connection/start-silence.ts';

const files = {
  'known.csv': 'ann,secret1\n',
  'legacy.csv': 'user_name,algorithm,hash\nann,md5,e52d98c459819a11775936d8dfbb7929\nbob,md5,x\n',
  'hash.txt': 'e52d98c459819a11775936d8dfbb7929\n',
  'password.txt': 'secret1\n',
  'secret.txt': application.client_secret,
  'tenant.json': '{"tenant_id":"acme"}',
};

/** Each command as a person runs it, and its exit code. */
const lines: readonly [command: string, exitCode: number][] = [
  ['--help', 0],
  ['import-hashes --help', 0],
  ['login --client-secret-file secret.txt', 0],
  ['status', 0],
  ['doctor', 0],
  ['profiles list', 0],
  ['profiles use default', 0],
  ['list', 0],
  ['list --all', 0],
  ['list --all --quiet', 0],
  ['get --by-user-name eve', 0],
  ['update --by-user-name eve --name Eve', 0],
  ['create --user-name zoe', 0],
  ['disable --by-user-name zoe --yes', 0],
  ['disable --by-user-name eve', 2],
  ['import-hashes legacy.csv --dry-run --job checked', 7],
  ['import-hashes legacy.csv --rehearse --job rehearsal', 7],
  ['import-hashes legacy.csv --job none', 2],
  ['import-hashes legacy.csv --yes --shard 1/2 --job one', 0],
  ['import-hashes legacy.csv --yes --shard 2/2 --job two', 7],
  ['import-hashes merge one two --job whole', 7],
  ['hash identify hash.txt', 0],
  ['hash verify --algorithm md5 --hash-file hash.txt --password-file password.txt', 0],
  ['sso ticket ann --password-file password.txt', 6],
  ['sso verify x --os-version 1 --device-ip 127.0.0.1 --device-fingerprint f', 6],
  ['tenant check tenant.json', 0],
  ['tenant apply tenant.json --local tenant.db', 0],
  ['tenant show --local tenant.db', 0],
  ['explain', 0],
  ['explain NETWORK USER.0034 7', 0],
  ['schema list', 0],
  ['completion bash', 0],
  ['enable bob', 2],
  ['profiles remove default --yes', 0],
  ['logout', 3],
];

/** Output that is written unchanged, however wide: text for programs, and help, whose examples are to be copied. */
const verbatim = /--help$|^(?:schema|completion|tenant show)/;

/** More than any command has to print, and far less than an endless loop prints. */
const mostCharacters = 400_000;

/** A stream with the methods of a Node.js terminal that move the cursor. An endless loop ends in an error. */
function terminalOf(columns: number) {
  let raw = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      raw += String(chunk);
      if (raw.length > mostCharacters) throw new Error('the output does not end');
      done();
    },
  });
  const movable = {
    isTTY: true,
    columns,
    cursorTo: (x: number, y?: number) => readline.cursorTo(stream, x, y),
    moveCursor: (x: number, y: number) => readline.moveCursor(stream, x, y),
    clearLine: (direction: readline.Direction) => readline.clearLine(stream, direction),
  };
  // A spinner moves the cursor back to the beginning of its line.
  return { stream: Object.assign(stream, movable), raw: () => raw.replaceAll('\x1b[1G', '\n') };
}

/** Lines that a terminal would break within a word, though they could be broken between two. */
function brokenLines(text: string, columns: number): string[] {
  const wide = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => stringWidth(line) > columns && !/^ {2}tenant-users |^[│┌├└]/.test(line));
  return wide.filter((line) => /\S\s+\S/.test(line) && !/: tenant-users /.test(line));
}

async function startWithFiles() {
  const world = await startWorld();
  for (const [name, text] of Object.entries(files)) await writeFile(join(world.directory, name), text);
  const inDirectory = /^(?:\w+\.(?:csv|txt|json|db)|checked|rehearsal|none|one|two|whole)$/;
  const wordsOf = (line: string) =>
    line.split(' ').map((word) => (inDirectory.test(word) ? join(world.directory, word) : word));
  return { ...world, wordsOf };
}

const environment = { NO_COLOR: '1', TENANT_USERS_CLIENT_ID: application.client_id };

test.each([0, 1, 20, 40, 80])('every command ends on a terminal of %d columns', async (terminal) => {
  const { baseUrl, client, runWith, wordsOf } = await startWithFiles();
  await client.createUser({ user_name: 'eve', email: 'eve@example.com' });
  const env = {
    ...environment,
    TENANT_USERS_BASE_URL: baseUrl,
    TENANT_USERS_CLIENT_SECRET: application.client_secret,
  };
  for (const [line, exitCode] of lines) {
    const { stream, raw } = terminalOf(terminal);
    const circumstances = { env, terminal, stderr: stream, mayRefuse: true } as const;
    const ended = await runWith(circumstances, ...wordsOf(line));
    expect(`${line}: ${ended.exitCode} ${ended.exitCode === exitCode ? '' : raw()}`).toBe(
      `${line}: ${exitCode} `,
    );
    expect(ended.stdout.length).toBeLessThan(mostCharacters);
    const width = terminal || 80;
    if (!verbatim.test(line) && width >= 40) {
      expect(brokenLines(ended.stdout, width), line).toEqual([]);
      expect(brokenLines(raw(), width), line).toEqual([]);
    }
  }
});

test('on a terminal of 0 columns, a signal ends every command that waits for a silent service', async () => {
  const { runWith, wordsOf } = await startWithFiles();
  const ends = [
    ['status', 'SIGTERM', 143],
    ['list', 'SIGINT', 130],
    ['list --all', 'SIGTERM', 143],
    ['get x', 'SIGINT', 130],
    ['create --name x', 'SIGTERM', 143],
    ['update x --name y', 'SIGTERM', 143],
    ['disable x --yes', 'SIGTERM', 143],
    ['import-hashes legacy.csv --yes --job one', 'SIGTERM', 143],
    ['sso ticket x --password-file password.txt', 'SIGINT', 130],
    ['doctor', 'SIGTERM', 143],
    ['login --client-secret-file secret.txt', 'SIGHUP', 129],
  ] as const;
  const ended = ends.map(async ([line, signal, exitCode]) => {
    const stop = new AbortController();
    const baseUrl = await startSilence(() => setImmediate(() => stop.abort(signal)));
    const env = {
      ...environment,
      TENANT_USERS_BASE_URL: baseUrl,
      TENANT_USERS_CLIENT_SECRET: application.client_secret,
    };
    const circumstances = { env, terminal: 0, signal: stop.signal, stderr: terminalOf(0).stream };
    const result = await runWith(circumstances, ...wordsOf(line));
    return [`${line}: ${result.exitCode}`, `${line}: ${exitCode}`];
  });
  for (const [seen, wanted] of await Promise.all(ended)) expect(seen).toBe(wanted);
});
