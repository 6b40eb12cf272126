import { expect, test } from 'vitest';
import { startWorld } from '../../world.ts';
import { credentials } from '../process/start-program.ts';
import { expectErrorLine } from './validate.ts';

test.each([
  [['get', 'nobody'], 'SVC.TENANT.USER.0001'],
  [['list', '--limit', '5'], 'USAGE'],
  [['list', '--profile', 'x', '--config', '/nowhere'], 'CONFIGURATION'],
  [['tenant', 'check', '-'], 'USAGE'],
  [['import-hashes', '/nowhere.csv'], 'SOURCE'],
])('%j fails with a line of the schema of errors', async (args, code) => {
  const world = await startWorld();
  const env = args.includes('--profile') ? {} : { ...credentials, TENANT_USERS_BASE_URL: world.baseUrl };
  const ended = await world.runWith({ env, stdin: '{"a":1}' }, ...args, '--json');
  expect(ended.stdout).toBe('');
  expect(await expectErrorLine(world, ended)).toBe(code);
});
