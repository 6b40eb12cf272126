import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withConnection } from '../../../src/cli/context/connection-options.ts';
import type { CommandContext, GlobalOptions } from '../../../src/cli/context/context.ts';
import { networkRemedies, ownErrors } from '../../../src/cli/errors/error-table.ts';
import { firstWords } from '../../../src/cli/first-words.ts';
import {
  errorExplanations,
  localErrorExplanations,
  tokenErrorExplanations,
} from '../../../src/contract/error-explanations.ts';
import { startTestService } from '../../test-service.ts';
import { startWorld } from '../../world.ts';

const told = (options: GlobalOptions, text: string) =>
  withConnection({ options, env: {}, configDirectory: '/home' } as CommandContext, text);

const away = { profile: 'two', config: 'other dir/c.json' } satisfies GlobalOptions;
const words = "--profile two --config 'other dir/c.json'";

/** Commands in remedies that use a tenant or a configuration, unless they name a database themselves. */
const asks = /^(?:api|apps|get|list|login|plan FILE|sso|status|tenant|update|import-hashes)/;

test('each command in a remedy has the options of the command that failed, so that it uses the same tenant', () => {
  const tables = [ownErrors, errorExplanations, localErrorExplanations, tokenErrorExplanations];
  const remedies = tables.flatMap((table) => Object.values(table).map(({ remedy }) => remedy));
  const named = [...remedies, ...Object.values(networkRemedies)].flatMap((text) =>
    told(away, text)
      .split('tenant-users ')
      .slice(1)
      .map((after) => ({
        after,
        isAsking: asks.test(after.replace(`${words} `, '')) && !after.includes('--local'),
      })),
  );
  expect(named.length).toBeGreaterThan(20);
  for (const { after, isAsking } of named)
    expect([after, after.startsWith(words)]).toEqual([after, isAsking]);
});

test.each([
  ['no option was given', {}, 'Run: tenant-users login', 'Run: tenant-users login'],
  [
    'two on a line',
    { profile: 'p' },
    'tenant-users get (tenant-users list)',
    'tenant-users --profile p get (tenant-users --profile p list)',
  ],
  [
    'the default database',
    { local: true },
    'tenant-users sso ticket USER',
    'tenant-users --local sso ticket USER',
  ],
  [
    'an option that is there',
    { profile: 'p' },
    'tenant-users login --profile q',
    'tenant-users login --profile q',
  ],
  [
    'a line for each',
    { profile: 'p' },
    'Next:\n  tenant-users plan show d\n  tenant-users apply d --profile p',
    'Next:\n  tenant-users plan show d\n  tenant-users apply d --profile p',
  ],
  [
    'an option that only the text around the command names',
    { profile: 'p' },
    'Run: tenant-users login (or set TENANT_USERS_BASE_URL, or try --local)',
    'Run: tenant-users --profile p login (or set TENANT_USERS_BASE_URL, or try --local)',
  ],
  [
    'another command that has one',
    { profile: 'p' },
    "Run: tenant-users list --by-name 'Ann (a)' --profile q, or tenant-users status.",
    "Run: tenant-users list --by-name 'Ann (a)' --profile q, or tenant-users --profile p status.",
  ],
  ['a help', { profile: 'p' }, 'see: tenant-users disable --help', 'see: tenant-users disable --help'],
  [
    'profiles',
    away,
    'tenant-users profiles use x',
    "tenant-users --config 'other dir/c.json' profiles use x",
  ],
  [
    'another database in the text',
    { profile: 'p' },
    'tenant-users apps list --local DATABASE',
    'tenant-users apps list --local DATABASE',
  ],
  [
    'another profile in the text',
    { local: 'a.db' },
    'tenant-users list --profile q',
    'tenant-users list --profile q',
  ],
  ['the local service', { baseUrl: 'https://a.example' }, 'tenant-users apps list', 'tenant-users apps list'],
  ['a password in an address', { local: 'postgres://u:pw@h/d' }, 'tenant-users list', 'tenant-users list'],
  [
    'a password in a base URL',
    { baseUrl: 'https://u:pw@a.example' },
    'tenant-users list',
    'tenant-users list',
  ],
] satisfies [string, GlobalOptions, string, string][])(
  'connection options are added correctly: %s',
  (_, options, text, shown) => {
    expect(told(options, text)).toBe(shown);
  },
);

test('only commands that are the same for every tenant get no options', () => {
  const offline = firstWords.filter(
    (word) => told({ profile: 'p' }, `tenant-users ${word}`) === `tenant-users ${word}`,
  );
  expect(offline).toEqual([
    ...['profiles', 'assess', 'template', 'recipe', 'hash', 'runs', 'log', 'evidence', 'serve'],
    ...['help', 'explain', 'schema', 'completion', 'complete'],
  ]);
});

test('the remedy of an application that may only read can be run', async () => {
  const { directory, runWith } = await startWorld();
  const database = join(directory, 'own.db');
  const { baseUrl } = await startTestService({ database });
  const made = await runWith({ env: {} }, 'apps', 'create', '--scope', 'read', '--json', '--local', database);
  const { client_id, client_secret } = JSON.parse(made.stdout);
  const stdin = client_secret;
  await runWith(
    { env: {}, stdin },
    'login',
    '--profile',
    'reader',
    '--base-url',
    baseUrl,
    '--client-id',
    client_id,
    '--client-secret-stdin',
  );
  const ended = await runWith({ env: {} }, 'create', '--user-name', 'ann', '--profile', 'reader');
  expect(ended).toMatchObject({ exitCode: 4, stdout: '' });
  const [, line = ''] = /: tenant-users (.*)\n$/.exec(ended.stderr) ?? [];
  const words = line.replace('DATABASE', database).split(' ');
  expect(await runWith({ env: {} }, ...words)).toMatchObject({ exitCode: 0 });
});

test('the advice to log in names the tenant for which something is not configured', async () => {
  const { runWith } = await startWorld();
  const ended = await runWith({ env: {} }, 'list', '--base-url', 'http://127.0.0.1:9');
  expect(ended).toEqual({
    exitCode: 3,
    stdout: '',
    stderr:
      'tenant-users: no client id is configured for http://127.0.0.1:9\nRun: tenant-users --base-url http://127.0.0.1:9 login (or set TENANT_USERS_BASE_URL, _CLIENT_ID and _CLIENT_SECRET, or try --local)\n',
  });
});

test('errors and notices of commands name the database and the configuration that were used', async () => {
  const { directory, runWith } = await startWorld();
  const config = join(directory, 'other.json');
  const own = ['--local', join(directory, 'own.db'), '--config', config];
  const run = (...args: string[]) => runWith({ env: {} }, ...args, ...own);
  await run('create', '--user-name', 'ann');
  const unknown = await run('sessions', 'end', '--app', 'nobody');
  expect(unknown.stderr).toContain(`To see them: tenant-users ${own.join(' ')} apps list\n`);
  const json = JSON.parse((await run('apps', 'revoke', 'nobody', '-y', '--json')).stderr);
  expect(json.error.hint).toBe(`To see them: tenant-users ${own.join(' ')} apps list`);
  const profile = await runWith({ env: {} }, 'list', '--profile', 'gone', '--config', config);
  expect(profile.stderr).toContain(`tenant-users --config ${config} login --profile gone\n`);
});
