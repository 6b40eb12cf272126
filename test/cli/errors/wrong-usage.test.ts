import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { startWorld, withoutService } from '../../world.ts';
import { expectErrorLine } from '../schemas/validate.ts';
import { optionCases } from './wrong-options.ts';
import { cases, files } from './wrong-usage.ts';

const program: CommandUnknownOpts = buildProgram({ env: {} } as Parameters<typeof buildProgram>[0]);

/** The options that an error names, but neither the command line nor its command has. */
function foreignOptions(args: readonly string[], text: string): string[] {
  const path = [program];
  for (const word of args) path.push(...(path.at(-1)?.commands.filter((one) => one.name() === word) ?? []));
  const known = path.flatMap(({ options }) => options.map(({ long }) => long ?? ''));
  const named = text.match(/--[a-z][\w-]*/g) ?? [];
  return named.filter(
    (name) => ![...known, '--help', ...args.map((arg) => arg.split('=')[0])].includes(name),
  );
}

test.each([...cases, ...optionCases])('wrong usage is explained: %s', async (command, message, hint) => {
  const world = await withoutService();
  for (const [name, text] of Object.entries(files)) await writeFile(join(world.directory, name), text);
  const there = (word: string) =>
    word === '.' || word in files || /^none/.test(word) ? join(world.directory, word) : word;
  const args = command.split(/ +/).map((word) => (word === '""' ? '' : word === '"_"' ? ' ' : there(word)));
  const ended = await world.run('--json', ...args);
  expect({ exitCode: ended.exitCode, stdout: ended.stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(['USAGE', 'SOURCE']).toContain(await expectErrorLine(world, ended));
  expect(ended.stderr).not.toContain('planted-secret');
  const { error } = JSON.parse(ended.stderr);
  const told = (text: string) =>
    text.replaceAll(
      join(
        world.directory,
        args.find((arg) => arg.startsWith(world.directory))?.slice(world.directory.length + 1) ?? '?',
      ),
      'FILE',
    );
  expect(told(error.message)).toContain(message);
  expect(error.hint).toContain(hint);
  expect(error.hint).toMatch(/\S/);
  expect(foreignOptions(args, `${error.message} ${error.hint}`)).toEqual([]);

  const plain = await world.run(...args);
  const isNamed = /^import-hashes (none|broken).csv$/.test(command);
  const target = isNamed ? `Target: ${world.baseUrl} (client id test-application)\n` : '';
  expect(plain).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `${target}tenant-users: ${error.message}\n${error.hint}\n`,
  });
});

test.each([
  ['profiles list', 'service,nope', 'Available: name, service, client_id, current, token.'],
  ['hash identify', 'sure,nope', 'Available: line, algorithm, format, sure, use, damage.'],
])('--columns accepts only the columns of the table of %s', async (command, columns, hint) => {
  const { run } = await withoutService();
  expect(await run(...command.split(' '), '--columns', columns)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `tenant-users: unknown column "nope"\n${hint}\n`,
  });
});

test('an unknown column is reported before anything is done', async () => {
  const { client, run } = await startWorld();
  expect(await run('create', '--user-name', 'ann', '--columns', 'nope')).toMatchObject({ exitCode: 2 });
  expect(await client.listUsers({ offset: 0, limit: 10 })).toMatchObject({ total: 0 });
});

test.each(['table', 'jsonl', 'csv'])('--json and -o %s cannot be used together', async (format) => {
  const world = await startWorld();
  const ended = await world.run('list', '-o', format, '--json');
  expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await expectErrorLine(world, ended)).toBe('USAGE');
  expect(JSON.parse(ended.stderr).error).toMatchObject({
    message: `--json and --output ${format} cannot be used together`,
    hint: 'Use only one of them.',
  });
  expect((await world.run('list', '-o', 'json', '--json')).exitCode).toBe(0);
});

// A secret can have any form, so everything after the name of an unknown option is left out.
test.each([
  [['list', "--secret=it's a 'secret'\nplanted"], "unknown option '--secret=…'"],
  [['list', "--x'y=planted"], "unknown option '--x…'"],
  [['list', '-planted'], "unknown option '-p…'"],
  [['list', '--=planted'], "unknown option '--=…'"],
  [['list', '--ofset=planted'], "unknown option '--ofset=…'"],
  [['create', '--password-stdin=planted'], "unknown option '--password-stdin=…'"],
  [['list', '--limit', '5f4dcc3b5aa765d61d8327deb882cf99'], 'invalid --limit "…"'],
  [['list', '--5f4dcc3b5aa765d61d8327deb882cf99'], "unknown option '…'"],
  [['5f4dcc3b5aa765d61d8327deb882cf99'], "unknown command '…'"],
])('%j is reported without its value', async (args, message) => {
  const { run } = await withoutService();
  const { exitCode, stdout, stderr } = await run(...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr.split('\n')[0]).toContain(`tenant-users: ${message}`);
  expect(stderr).not.toContain('planted');
});

test.each([[[]], [['users']], [['sso']]])(
  '%j --json without a command prints an error line instead of the help',
  async (args) => {
    const world = await withoutService();
    const ended = await world.run(...args, '--json');
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await expectErrorLine(world, ended)).toBe('USAGE');
  },
);
