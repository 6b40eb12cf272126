import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { bin } from './cli/process/start-program.ts';
import { pageAt } from './pages.ts';
import { temporaryDirectory } from './world.ts';

const root = resolve(import.meta.dirname, '..');
const { text: readme } = pageAt('README.md');

/** A whole import for each step, on a busy machine. */
const patience = { timeout: 120_000 };

/** A shell in an empty directory beside the fixtures, without any configuration. */
async function startShell(): Promise<(line: string) => Promise<{ output: string; exitCode: number }>> {
  const home = await temporaryDirectory();
  const commands = join(home, '.bin');
  await mkdir(commands);
  await writeFile(join(commands, 'tenant-users'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  await chmod(join(commands, 'tenant-users'), 0o755);
  await symlink(join(root, 'fixtures'), join(home, 'fixtures'));
  const env = { HOME: home, PATH: `${commands}:${process.env.PATH}` };
  return (line) =>
    new Promise((done) => {
      const shell = execFile('sh', ['-c', `{ ${line}\n} 2>&1`], { env, cwd: home }, (_, output) =>
        done({ output, exitCode: shell.exitCode ?? -1 }),
      );
      shell.stdin?.end();
    });
}

function sectionNamed(heading: string): string {
  const from = readme.indexOf(`## ${heading}\n`);
  expect(from, heading).toBeGreaterThan(-1);
  const to = readme.indexOf('\n## ', from + 3);
  return readme.slice(from, to === -1 ? undefined : to);
}

function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  );
}

test(
  'the session on the first screen has the output that is printed there, with … for lines left out',
  patience,
  async () => {
    const run = await startShell();
    const [session = ''] = blocksOf(sectionNamed('What it looks like'), 'console');
    const commands = session.split(/^\$ /m).filter((part) => part !== '');
    expect(commands.length).toBeGreaterThan(3);
    for (const command of commands) {
      const [line = '', ...expected] = command.trimEnd().split('\n');
      const { output } = await run(line);
      const patterns = expected.map((told) => (told === '…' ? '(?:.*\n)*?' : `${quoted(told)}\n`));
      expect(output, line).toMatch(new RegExp(`^${patterns.join('')}$`));
    }
  },
);

function quoted(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

test('the five steps of the first import work as they are printed', patience, async () => {
  const run = await startShell();
  const steps = blocksOf(sectionNamed('Your first import, in five steps'), 'sh');
  const codes: (readonly [string, number])[] = [];
  for (const [index, step] of steps.entries()) {
    for (const line of step.trimEnd().split('\n')) {
      const { output, exitCode } = await run(line);
      codes.push([`${index + 1}: ${/^\S+( \S+)?/.exec(line)?.[0]}`, exitCode]);
      expect(output, line).not.toBe('');
    }
  }
  expect(codes).toEqual([
    ['1: tenant-users import-hashes', 7],
    ['2: tenant-users import-hashes', 7],
    ['3: tenant-users login', 0],
    ['3: tenant-users profiles', 0],
    ['3: tenant-users status', 0],
    ['4: tenant-users import-hashes', 7],
    ['5: head -5', 0],
    ['5: tenant-users list', 0],
    ["5: printf 'Sommer#00'", 0],
  ]);
});

test('a recipe for scripts ends with the exit code of the command that failed', patience, async () => {
  const run = await startShell();
  const { text } = pageAt('docs/guide/scripting.md');
  const recipes = text.slice(text.indexOf('\n## Recipes\n')).split(/\n\n(?=#)/);
  const ends = async (title: string) => {
    const recipe = recipes.find((part) => part.includes(title)) ?? '';
    const { output, exitCode } = await run(recipe.replace(/^```.*$/gm, ''));
    return { exitCode, why: output.trim().split('\n').at(-1) };
  };
  expect(await ends('# An import that survives')).toMatchObject({ exitCode: 3 });
  // Without its list of people, it must not go on to an empty file.
  expect(await ends('# Disable the people')).toEqual({ exitCode: 1, why: expect.stringContaining('cat: ') });
});

test('the two commands for a fresh clone are those of the build server', async () => {
  const lines = blocksOf(sectionNamed('Try it'), 'sh').flatMap((block) => block.trim().split('\n'));
  const commands = lines.map((line) => line.replace(/ *#.*$/, ''));
  expect(commands).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
  const ci = await readFile(join(root, '.ci', 'run'), 'utf8');
  for (const command of ['npm ci', 'npm run demo', 'npm test']) expect(ci).toContain(`\n${command}`);
  expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(['demo', 'test']));
});

test('README.md has at most 150 lines and CONTRIBUTING.md at most 80', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  expect(pageAt('CONTRIBUTING.md').text.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
});
