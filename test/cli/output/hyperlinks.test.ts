import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { runCommand, temporaryDirectory } from '../../world.ts';

/** What a command that writes a page prints on stderr, on a terminal or, without a width, in a pipe. */
async function pageLine(
  env: Record<string, string>,
  { name = 'page.html', width = 200, isPipe = false } = {},
) {
  const directory = await temporaryDirectory();
  const csv = join(directory, 'legacy.csv');
  await writeFile(csv, 'user_name,algorithm,hash\nann,md5,e10adc3949ba59abbe56e057f20f883e\n');
  const page = join(directory, name);
  const terminal = isPipe ? {} : { terminal: width };
  const { stderr, stdout, exitCode } = await runCommand(['assess', csv, '--report', page], {
    env: { TERM: 'xterm-256color', ...env },
    configDirectory: directory,
    ...terminal,
  });
  expect({ exitCode, isThere: existsSync(page) }).toEqual({ exitCode: 0, isThere: true });
  expect(stdout).not.toContain('\x1b]8;');
  return { page, stderr };
}

const vte = { VTE_VERSION: '7200' };

test('the printed name of a page is a link to it', async () => {
  const { page, stderr } = await pageLine(vte, { name: 'a page: für 1%.html' });
  const url = pathToFileURL(page);
  url.hostname = hostname();
  expect(stderr).toContain(`Page: \x1b]8;;${url.href}\x1b\\${page}\x1b]8;;\x1b\\\n`);
  expect(url.href).toMatch(/\/a%20page:%20f%C3%BCr%201%25\.html$/);
});

test.each([
  { WT_SESSION: 'x' },
  { TERM: 'xterm-kitty' },
  { TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20240203-110809-5046fc22' },
  { TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5.0' },
  { TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.72.1' },
  { FORCE_HYPERLINK: '1' },
])('the name is a link on a terminal that supports links: %j', async (env) => {
  expect((await pageLine(env)).stderr).toContain('\x1b]8;;file://');
});

test.each([
  {},
  { TERM: 'dumb', ...vte },
  { VTE_VERSION: '4803' },
  { TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.0.15' },
  { TERM_PROGRAM: 'vscode', TERM_PROGRAM_VERSION: '1.71.0' },
  { TERM_PROGRAM: 'Apple_Terminal', TERM_PROGRAM_VERSION: '455' },
  { ...vte, NO_COLOR: '1' },
  { ...vte, CI: 'true' },
  { ...vte, FORCE_HYPERLINK: '0' },
])('the name is not a link on a terminal without links: %j', async (env) => {
  const { page, stderr } = await pageLine(env);
  expect(stderr).not.toContain('\x1b]8;');
  expect(stderr).toContain(`Page: ${page}\n`);
});

test('in a pipe the name is a link only on request', async () => {
  const inPipe = { isPipe: true };
  expect((await pageLine({ ...vte, FORCE_COLOR: '1' }, inPipe)).stderr).not.toContain('\x1b]8;');
  expect((await pageLine({ FORCE_HYPERLINK: '1' }, inPipe)).stderr).toContain('\x1b]8;;file://');
});

test('a name with control characters, or one that is wrapped, is not a link', async () => {
  const { stderr } = await pageLine(vte, { name: 'a\x1b]8;;evil\x07b.html' });
  expect(stderr).not.toContain('\x1b]8;');
  expect((await pageLine(vte, { name: 'my page.html', width: 20 })).stderr).not.toContain('\x1b]8;');
});
