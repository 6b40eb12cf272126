import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { credentials, runProgram } from '../process/start-program.ts';

test('commands that run at the same time write complete lines, two each', async () => {
  const world = await startWorld();
  const state = mkdtempSync(join(world.directory, 'state-'));
  const env = { ...credentials, TENANT_USERS_BASE_URL: world.baseUrl, XDG_STATE_HOME: state };
  const names = Array.from({ length: 6 }, (_, number) => `user${number}`);
  const ended = await Promise.all(
    names.map((name) => runProgram(['create', '--user-name', name, '-q'], env)),
  );
  const made = ended.map(({ stdout }) => stdout.trim()).sort();
  expect(new Set(made).size).toBe(6);
  const lines = readFileSync(join(state, 'tenant-users/log/000001.jsonl'), 'utf8').trimEnd().split('\n');
  const read: { id: string; outcome?: string; user_id?: string }[] = lines.map((line) => JSON.parse(line));
  const ends = read.filter(({ outcome }) => outcome === 'created');
  expect(ends.map(({ user_id }) => user_id).sort()).toEqual(made);
  expect(
    read
      .filter(({ outcome }) => outcome === undefined)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(ends.map(({ id }) => id).sort());
});
