import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';

type Command = ReturnType<typeof buildProgram>['commands'][number];

/** Commands that do something and are in the help; `users list` and `list` are one. */
function runnable(parent: Command | ReturnType<typeof buildProgram>, before = ''): string[] {
  const visible = parent.createHelp().visibleCommands(parent as Command);
  return parent.commands
    .filter((one) => visible.includes(one))
    .flatMap((command) => {
      const path = `${before} ${command.name()}`.trim().replace(/^users /, '');
      const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
      return [...(isGroup ? [] : [path]), ...runnable(command, path)];
    });
}

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
const commands = [...new Set(runnable(buildProgram(session)))];

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
