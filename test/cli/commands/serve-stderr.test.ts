import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { application } from '../../test-service.ts';
import { temporaryDirectory } from '../../world.ts';
import { credentials, firstLine, runProgram, startProgram } from '../process/start-program.ts';

const query = new URLSearchParams({ grant_type: 'client_credentials', ...application });

/** A pipe as a shell makes it: what Node makes for a child is a socket. */
async function openPipe() {
  const path = join(await temporaryDirectory(), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const reader = new Socket({ fd, readable: true, writable: false, pauseOnCreate: true } as object);
  return { reader: reader.pause(), writer: openSync(path, constants.O_WRONLY) };
}

/** Starts `serve` with both logs on a stderr that nobody reads, and gets tokens until the audit log cannot be written. */
async function startUnread(...options: string[]) {
  const database = join(await temporaryDirectory(), 'tenant.db');
  const logs = ['--audit', 'stderr', '--log-level', 'info'];
  const args = ['serve', '--port', '0', '--database', database, '--json', ...logs, ...options];
  const { reader, writer } = await openPipe();
  const child = await startProgram(args, credentials, writer);
  closeSync(writer);
  const { base_url: baseUrl } = JSON.parse(await firstLine(child));
  const getToken = async () => {
    const reply = await fetch(`${baseUrl}/api/v2/tenant/token?${query}`, { method: 'POST' });
    await reply.arrayBuffer();
    return reply.status;
  };
  let issued = 0;
  while ((await getToken()) === 200) issued += 1;
  return { child, reader, issued };
}

test.skipIf(process.platform === 'win32')(
  'two logs on one stderr tear no line of each other, and a stop waits for its reader',
  async () => {
    const { child, reader, issued } = await startUnread();
    child.kill('SIGTERM');
    const exit = once(child, 'exit');
    const lines = (await text(reader)).trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line));
    const tokens = events.filter(({ event, outcome }) => event === 'obtainToken' && outcome === 'done');
    expect(tokens).toHaveLength(issued);
    expect(events.at(-1)).toMatchObject({ event: 'stopService' });
    expect(events).toContainEqual(expect.objectContaining({ level: 'error' }));
    expect(await exit).toEqual([0, null]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a stop that must give up lines of the audit log fails',
  async () => {
    const { child, reader } = await startUnread('--drain-timeout', '1');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([3, null]);
    reader.destroy();
  },
);

test.skipIf(process.platform === 'win32')(
  'an audit log at the path of stderr overwrites nothing there, and none goes to standard output',
  async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'all.log');
    const args = ['serve', '--port', '0', '--database', ':memory:', '--log-level', 'info'];
    const stderr = openSync(file, 'w');
    const child = await startProgram([...args, '--json', '--audit', '/dev/stderr'], credentials, stderr);
    closeSync(stderr);
    const { base_url: baseUrl } = JSON.parse(await firstLine(child));
    for (let token = 0; token < 3; token += 1)
      await (await fetch(`${baseUrl}/api/v2/tenant/token?${query}`, { method: 'POST' })).arrayBuffer();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const requests = lines.flatMap(({ event, operation }) => event ?? operation);
    expect(requests.filter((name) => name === 'obtainToken')).toHaveLength(6);
    expect(requests).toEqual(expect.arrayContaining(['startService', 'stopService']));
    for (const target of ['-', '/dev/stdout']) {
      expect(await runProgram([...args, '--audit', target], credentials)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining('the audit log cannot go to standard output'),
      });
    }
  },
);
