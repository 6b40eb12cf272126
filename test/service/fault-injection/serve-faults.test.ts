import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { run } from '../../../src/cli/run.ts';
import { startWorld } from '../../world.ts';

const script = {
  faults: [
    { operation: 'createUser', when: { nth: 1 }, do: { status: 502 } },
    { operation: 'createUser', when: { nth: 3 }, do: { reset: 'after_commit' } },
  ],
};

async function worldWithFile(text: string) {
  const world = await startWorld();
  const file = join(world.directory, 'faults.json');
  await writeFile(file, text);
  return { ...world, file };
}

const serve = ['serve', '--port', '0', '--database', ':memory:'];

/** Runs `serve` until it prints on stdout that it is ready, then ends it. */
async function serveOnce(directory: string, ...flags: string[]) {
  const end = new AbortController();
  const said = { stdout: '', stderr: '' };
  const output = (name: keyof typeof said) =>
    new Writable({
      write(chunk, _encoding, done) {
        said[name] += String(chunk);
        if (name === 'stdout') end.abort('SIGTERM');
        done();
      },
    });
  const exitCode = await run([...serve, ...flags], {
    stdin: Readable.from([]),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: {},
    configDirectory: directory,
    stateDirectory: directory,
    now: Date.now,
    signal: end.signal,
  });
  return { exitCode, ...said };
}

test('serve warns before it is ready, and prints the triggered faults when it ends', async () => {
  const { directory, file } = await worldWithFile(JSON.stringify(script));
  const { exitCode, stdout, stderr } = await serveOnce(directory, '--faults', file);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringMatching(/^Serving on /) });
  expect(stderr.split('\n')).toEqual([
    'tenant-users: WARNING: this service injects faults on purpose',
    `  fault script ${file}: 2 faults, seed 1`,
    '  calls are delayed, rejected, cut off or left without an answer; for tests only',
    'Stopped; all open requests were completed',
    'Faults triggered: faults[0] 0, faults[1] 0',
    '',
  ]);
});

test('serve warns with --json and --quiet, too', async () => {
  const { directory, file } = await worldWithFile(JSON.stringify(script));
  const { stdout, stderr } = await serveOnce(directory, '--faults', file, '--json', '--quiet');
  expect(JSON.parse(stdout)).toMatchObject({ base_url: expect.any(String) });
  expect(stderr).toMatch(/^tenant-users: WARNING: .*\n.*2 faults, seed 1\n.*for tests only\n$/);
});

test('without the option, serve does not mention faults', async () => {
  const { directory } = await worldWithFile('');
  expect((await serveOnce(directory)).stderr).toBe('Stopped; all open requests were completed\n');
});

test.each(['0.0.0.0', '::', '192.168.0.1', 'tenant.example'])('the option is refused on %s', async (host) => {
  const world = await worldWithFile(JSON.stringify(script));
  const open = ['--host', host, '--insecure-http', '--faults', world.file];
  const { exitCode, stdout, stderr } = await world.run(...serve, ...open);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(`--faults requires a loopback address, which ${host} is not`);
});

test('a script with mistakes is refused as a whole, each mistake with its path; so is a script that does not exist', async () => {
  const faults = [...script.faults, { operation: 'nothing', do: { status: 1 } }];
  const world = await worldWithFile(JSON.stringify({ faults, speed: 1 }));
  const wrong = await world.run(...serve, '--faults', world.file);
  expect({ exitCode: wrong.exitCode, stdout: wrong.stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toContain(`${world.file} is not a valid fault script, 3 errors:\n`);
  for (const path of ['faults[2].operation', 'faults[2].do.status', 'speed']) {
    expect(wrong.stderr).toContain(`\n  ${path}: `);
  }
  const gone = await world.run(...serve, '--faults', `${world.file}.old`);
  expect({ exitCode: gone.exitCode, stderr: gone.stderr }).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('cannot be read: it does not exist'),
  });
});
