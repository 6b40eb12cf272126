import { expect, test } from 'vitest';
import { buildProgram } from '../../../src/cli/program.ts';
import { commandShapes } from '../../../src/cli/schemas/command-shapes.ts';
import { commandPaths } from '../../runnable-commands.mjs';
import { startWorld } from '../../world.ts';
import { performances, startUserWorld } from './performances.ts';
import { faultsBy, printedSchema } from './validate.ts';

const partly = [
  'apply',
  'compare',
  'plan',
  'users disable',
  'import-hashes',
  'import-hashes merge',
  'import-hashes status',
  'hash verify',
];

test.each(Object.entries(performances))(
  '%s --json prints what its schema describes',
  async (path, perform) => {
    const stage = await startUserWorld();
    const schema = await printedSchema(stage, ...path.split(' '));
    for (const { exitCode, stdout, stderr } of await perform(stage, ['--json'])) {
      expect({ exitCode, stderr }).toEqual({
        exitCode: partly.includes(path) ? expect.any(Number) : 0,
        stderr: '',
      });
      expect(stdout.endsWith('\n')).toBe(true);
      expect(faultsBy(schema, JSON.parse(stdout)), stdout).toEqual([]);
    }
  },
);

// These commands print the same JSON for every output format.
const withoutLines = ['serve', 'schema', 'tenant show', 'tenant learn'];

test.each(Object.entries(performances).filter(([path]) => !withoutLines.includes(path)))(
  '%s -o jsonl prints lines of its schema',
  async (path, perform) => {
    const stage = await startUserWorld();
    const schema = await printedSchema(stage, ...path.split(' '), '--line');
    const told = await perform(stage, ['-o', 'jsonl']);
    const lines = told.flatMap(({ stdout }) => stdout.split('\n').filter((line) => line !== ''));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(faultsBy(schema, JSON.parse(line)), line).toEqual([]);
  },
);

test('every command has a schema, or a reason for having none, and nothing else has a schema', async () => {
  expect(commandPaths(buildProgram({} as Parameters<typeof buildProgram>[0]))).toEqual(
    Object.keys(commandShapes).sort(),
  );
});

test('a schema finds properties that it does not describe', async () => {
  const world = await startWorld();
  const page = { users: [], total: 0, offset: 0, limit: 20, complete: true };
  const schema = await printedSchema(world, 'list');
  expect(faultsBy(schema, page)).toEqual([]);
  expect(faultsBy(schema, { ...page, more: 1 })).toHaveLength(1);
  expect(faultsBy(schema, { ...page, total: '0' })).toHaveLength(1);
  const user = { user_id: '1', user_name: 'a', disabled: false, usr_auth_times: 0, of_the_tenant: true };
  expect(faultsBy(schema, { ...page, users: [user] })).toEqual([]);
  expect(faultsBy(schema, { ...page, users: [{ ...user, disabled: 'false' }] })).toHaveLength(1);
});

test('the command schema names the commands that have no schema', async () => {
  const { run } = await startWorld();
  expect(await run('schema', 'lst')).toMatchObject({ exitCode: 2, stdout: '' });
  expect((await run('schema', 'constructor')).stderr).toContain('There are those of: users list, ');
});
