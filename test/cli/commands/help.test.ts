import { expect, test } from 'vitest';
import { ownFiles, variables } from '../../../src/cli/config/variables.ts';
import { exitCodes } from '../../../src/cli/errors/exit-codes.ts';
import { formatNames } from '../../../src/cli/output/formats/format.ts';
import { runCommand, temporaryDirectory } from '../../world.ts';

async function help(...words: string[]) {
  return runCommand(['help', ...words], { env: {}, configDirectory: await temporaryDirectory() });
}

test.each([
  ['environment', variables.flatMap(({ names }) => names)],
  ['exit-codes', Object.values(exitCodes).map((code) => `\n${code}\n    `)],
  ['formatting', [...formatNames.map((name) => `-o ${name}\n`), '--columns <names>', '--output-file <file>']],
  ['config', ownFiles.map(({ what }) => what.replaceAll('`', ''))],
])('the topic %s contains everything of its table', async (topic, expected) => {
  const { exitCode, stdout, stderr } = await help(topic);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  for (const text of expected) expect(stdout).toContain(text);
  expect(stdout).not.toContain('`');
});

test('a topic is wrapped to the width of the terminal', async () => {
  const surroundings = { env: {}, configDirectory: await temporaryDirectory(), terminal: 40 };
  const { stdout } = await runCommand(['help', 'exit-codes', '--no-color'], surroundings);
  const lines = stdout.trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(lines).toContain('    Everything asked for was done.');
});

test('help shows a command, also one in a group, and without an argument the program', async () => {
  expect((await help('list')).stdout).toMatch(/^Usage: tenant-users list /);
  expect((await help('import-hashes', 'status')).stdout).toMatch(
    /^Usage: tenant-users import-hashes status /,
  );
  const { exitCode, stdout } = await help();
  expect(exitCode).toBe(0);
  for (const heading of ['Tenant', 'Output', 'Profiles', 'Users', 'Import and plans', 'Records'])
    expect(stdout).toContain(`\n${heading}:\n`);
  expect(await help('environments')).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining("unknown command 'environments'"),
  });
});
