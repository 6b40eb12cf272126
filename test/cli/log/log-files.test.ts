import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/context/context.ts';
import { appendLine, logDirectory } from '../../../src/cli/log/log-files.ts';
import { type LogEntry, readLog } from '../../../src/cli/log/read-log.ts';
import { temporaryDirectory } from '../../world.ts';

async function emptyLog() {
  const context = { stateDirectory: await temporaryDirectory(), env: {} } as CommandContext;
  const directory = logDirectory(context);
  const entries = () => {
    const broken: undefined[] = [];
    const found: LogEntry[] = [...readLog(context, () => broken.push(undefined))].flat();
    return { broken: broken.length, found: found.map(({ begun, ended }) => [begun.id, ended?.outcome]) };
  };
  return { context, directory, entries };
}

const time = '2026-11-22T21:00:00.000Z';
const begun = (id: string) => ({ time, id, command: 'update', profile: null, target: {}, user_id: null });
const ended = (id: string) => ({ time, id, outcome: 'updated' });

test('after a full file a new one begins, and the ten latest are kept', async () => {
  const { context, directory, entries } = await emptyLog();
  mkdirSync(directory, { recursive: true });
  const full = `${JSON.stringify(begun('old'))}\n${' '.repeat(4 * 2 ** 20)}\n`;
  for (let number = 1; number <= 9; number += 1) writeFileSync(join(directory, `00000${number}.jsonl`), full);
  writeFileSync(join(directory, '000010.jsonl'), full);
  writeFileSync(join(directory, 'notes.txt'), 'of somebody');
  appendLine(context, ended('old'));
  appendLine(context, begun('new'));
  const names = readdirSync(directory).filter((name) => name.endsWith('.jsonl'));
  expect(names).toHaveLength(10);
  expect([names[0], names.at(-1)]).toEqual(['000002.jsonl', '000011.jsonl']);
  expect(readFileSync(join(directory, '000011.jsonl'), 'utf8').split('\n')).toHaveLength(3);
  expect(readdirSync(directory)).toContain('notes.txt');
  // An end in a later file belongs to its beginning in an earlier one.
  expect(entries().found.slice(0, 2)).toEqual([
    ['new', undefined],
    ['old', 'updated'],
  ]);
});

test('an end belongs to the beginning with its id, and an invalid line is skipped', async () => {
  const { context, directory, entries } = await emptyLog();
  expect(entries()).toEqual({ broken: 0, found: [] });
  for (const line of [begun('a'), begun('b'), ended('b'), ended('a'), begun('c')]) appendLine(context, line);
  writeFileSync(join(directory, '000001.jsonl'), '{"time":"20\n{"id":7}\nnull\n', { flag: 'a' });
  appendLine(context, ended('nobody'));
  expect(entries()).toEqual({
    broken: 3,
    found: [
      ['c', undefined],
      ['b', 'updated'],
      ['a', 'updated'],
    ],
  });
});
