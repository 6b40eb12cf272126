import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { runnableCommands } from '../../runnable-commands.mjs';
import { sessions } from './sessions.ts';

const session = {} as Parameters<typeof buildProgram>[0];
const visible = runnableCommands(buildProgram(session)).filter(({ isHidden }) => !isHidden);
/** `users list` and `list` are the same command. */
const commands = [...new Set(visible.map(({ path }) => path.join(' ').replace(/^users /, '')))];

// A command that is missing here needs a line in a session; `vitest -u` then writes its output.
test('every command has a transcript', () => {
  const lines = Object.values(sessions).flatMap((session) => session.lines.split('\n'));
  const isShown = (path: string) =>
    lines.some((line) => new RegExp(`tenant-users (users )?${path}( |$)`).test(line));
  expect(commands.length).toBeGreaterThan(15);
  expect(commands.filter((path) => !isShown(path))).toEqual([]);
});

test.each(Object.keys(sessions))('the session %s has a test file', (name) => {
  expect(existsSync(join(import.meta.dirname, `${name}.test.ts`))).toBe(true);
});
