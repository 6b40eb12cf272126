import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { manPage } from '../src/bundle/man-page.mjs';
import { buildProgram } from '../src/cli/program.ts';
import { commandTree } from '../src/cli/schemas/command-tree.ts';
import { commandPaths } from './runnable-commands.mjs';

const program = () => buildProgram({} as Parameters<typeof buildProgram>[0]);

test('the command tree has every command of the help, with its options and its output', () => {
  const { commands, exit_codes, global_options } = commandTree(program());
  const hidden = ['complete'];
  expect(commands.map(({ path }) => path).sort()).toEqual(
    commandPaths(program()).filter((path) => !hidden.includes(path)),
  );
  expect(commands.filter(({ output }) => !('why' in output) && !('schema' in output))).toEqual([]);
  const list = commands.find(({ path }) => path === 'users list');
  expect(list).toMatchObject({ short: 'list', output: { json: 'Users', schema: 'schema users list' } });
  expect(list?.options.map(({ flags }) => flags)).toContain('--search <text>');
  expect(list?.examples).toContain('tenant-users list --search ann');
  expect(exit_codes).toContainEqual({ code: 10, meaning: expect.stringContaining('incomplete') });
  expect(global_options.map(({ flags }) => flags)).toContain('--output-file <file>');
});

const page = manPage(commandTree(program()));

test('the manual page has every command, and none of our text is read as a macro', () => {
  for (const { path } of commandTree(program()).commands) {
    expect(page).toContain(`\n.SS "${path.replaceAll('-', '\\-')}"\n`);
  }
  const requests = new Set(page.match(/^[.'][A-Za-z]*/gm));
  expect([...requests].sort()).toEqual([
    ...['.B', '.I', '.PP', '.RE', '.RS', '.SH', '.SS', '.TH', '.TP', '.fi', '.nf'],
  ]);
  expect(page).toMatch(/^[\0-\x7f]*$/);
});

test('npm installs the manual page, which it does only from a list', () => {
  expect(manifest.man).toEqual(['./dist/tenant-users.1']);
});

const groff = (...args: string[]) => spawnSync('groff', args, { input: page, encoding: 'utf8' });

test.skipIf(groff('-v').error !== undefined)('groff reports no problem', () => {
  const { status, stdout, stderr } = groff('-man', '-Tutf8', '-ww');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('User Commands');
});
