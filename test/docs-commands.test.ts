import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { buildProgram } from '../src/cli/program.ts';
import { pages } from './pages.ts';

const program: CommandUnknownOpts = buildProgram({ env: {} } as Parameters<typeof buildProgram>[0]);

/** The text after `tenant-users` in the blocks and spans of code of a page. */
function commandLinesOf(text: string): string[] {
  const blocks = text.match(/^```(?:sh|console|text)$[\s\S]*?^```$/gm) ?? [];
  const spans = text.replace(/^```[\s\S]*?^```$/gm, '').match(/`tenant-users [^`\n]+`/g) ?? [];
  return [...blocks.flatMap((block) => block.split('\n')), ...spans.map((span) => span.slice(1, -1))].flatMap(
    (line) =>
      [...line.matchAll(/(?:^|[ (])tenant-users +((?:'[^']*'|"[^"]*"|[^'"|;&)#<>]|<(?=\w))*)/g)].map(
        ([, words = '']) => words.trim(),
      ),
  );
}

/** What is wrong with a command line: a command or an option that does not exist. */
function faultsOf(line: string): string[] {
  const words =
    line
      .replace(/'[^']*'|"[^"]*"/g, 'VALUE')
      .split(/ {2,}/)[0]
      ?.split(/\s+/) ?? [];
  const path = [program];
  const unknown: string[] = [];
  for (const [index, word] of words.entries()) {
    const next = path.at(-1)?.commands.find((candidate) => candidate.name() === word);
    if (next) path.push(next);
    else if (index === 0 && !/^-|^[A-Z…<]/.test(word)) unknown.push(`${word}: ${line}`);
  }
  const known = path.flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short]));
  const options = words.map((word) => word.split('=')[0] ?? '').filter((word) => /^--?[a-z]/i.test(word));
  const isKnown = (option: string) => known.includes(option) || option === '--help';
  return [...unknown, ...options.filter((option) => !isKnown(option)).map((option) => `${option}: ${line}`)];
}

test('the program accepts every command line of a page', () => {
  const lines = pages.flatMap(({ path, text }) => commandLinesOf(text).map((line) => ({ path, line })));
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.flatMap(({ path, line }) => faultsOf(line).map((fault) => `${path}: ${fault}`))).toEqual([]);
});

test('the check finds a command and an option that do not exist', () => {
  expect(faultsOf('listen --all')).not.toEqual([]);
  expect(faultsOf('list --every')).toHaveLength(1);
  expect(faultsOf('sso ticket ann --rehearse')).toHaveLength(1);
  expect(faultsOf('users list --all --json')).toEqual([]);
});
