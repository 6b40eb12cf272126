import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { runnableCommands } from '../../runnable-commands.mjs';

/** What is run in the tests of one place, as their transcripts show it. */
function shownIn(place: string): string {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));
  const tests = files.flatMap((name) =>
    readFileSync(join(import.meta.dirname, name), 'utf8').split(/^(?=\w*[tT]est\()/m),
  );
  return tests
    .filter((text) => text.includes(`Test('${place}`) || text.startsWith(`test('${place}`))
    .join('\n');
}

const session = {} as Parameters<typeof buildProgram>[0];
const visible = runnableCommands(buildProgram(session)).filter(({ isHidden }) => !isHidden);
/** `users list` and `list` are one. */
const commands = [...new Set(visible.map(({ path }) => path.join(' ').replace(/^users /, '')))];

// A command that is missing here needs a line in one of the transcripts; `vitest -u` then writes what it says.
test.each(['in a pipe', 'on a terminal'])('every command has a transcript %s', (place) => {
  const lines = shownIn(place)
    .split('\n')
    .filter((line) => line.includes('$ ') || line.includes('| tenant-users'));
  const isShown = (path: string) =>
    lines.some((line) => new RegExp(`tenant-users (users )?${path}( |$)`).test(line));
  expect(commands.length).toBeGreaterThan(15);
  expect(commands.filter((path) => !isShown(path))).toEqual([]);
});
