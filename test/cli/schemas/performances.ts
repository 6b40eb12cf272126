import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { commandShapes } from '../../../src/cli/schemas/command-shapes.ts';
import type { Silent } from '../../../src/cli/schemas/shapes.ts';
import { goodHashes } from '../../migration/hashes.ts';
import { type Ended, startWorld, type TestWorld } from '../../world.ts';
import { credentials, firstLine, startProgram } from '../process/start-program.ts';
import { importFile, jobPerformances } from './job-performances.ts';
import { planPerformances } from './plan-performances.ts';
import { userPerformances } from './user-performances.ts';

interface UserWorld extends TestWorld {
  userId: string;
  /** Runs a command with text on standard input, with the credentials of the application. */
  fed(stdin: string, ...args: string[]): Promise<Ended>;
}

const device = ['--os-version', '14', '--device-ip', '10.0.0.7', '--device-fingerprint', 'f00d'];

/** The world in which the commands are run. */
export async function startUserWorld(): Promise<UserWorld> {
  const world = await startWorld();
  const { user_id } = await world.client.importHashedUser({
    user_name: 'ann',
    name: '安',
    email: 'ann@example.com',
    attr_gender: 'unknow',
    extension: { age: '42' },
    pwd_must_modify: false,
    'hash-pwd': { algorithm: 'md5', value: goodHashes.md5 },
  });
  const env = { ...credentials, TENANT_USERS_BASE_URL: world.baseUrl };
  return { ...world, userId: user_id, fed: (stdin, ...args) => world.runWith({ stdin, env }, ...args) };
}

/** The output of command lines on the database of a tenant. */
async function onTenant({ fed, directory }: UserWorld, ...lines: string[][]): Promise<Ended[]> {
  const local = ['--local', join(directory, 'tenant.db')];
  await fed('{}', 'tenant', 'apply', '-', ...local);
  const ended: Ended[] = [];
  for (const line of lines) ended.push(await fed('', ...line, ...local));
  return ended;
}

const last = (ended: Ended[]) => ended.slice(-1);

/** The id of an application that was created on the database of a tenant. */
async function newApplication(stage: UserWorld): Promise<string> {
  const [made] = await onTenant(stage, ['apps', 'create', '--json']);
  return JSON.parse(made?.stdout ?? '').client_id;
}

const silentProgram = { exitCode: 0, stderr: '' };

/** The commands that print JSON. */
type Spoken = {
  [Path in keyof typeof commandShapes]: (typeof commandShapes)[Path] extends Silent ? never : Path;
}[keyof typeof commandShapes];

/** Every command, as often as it can print something different. Each output must match the schema of the command. */
export const performances: Record<Spoken, (stage: UserWorld, flags: string[]) => Promise<Ended[]>> = {
  ...userPerformances,
  'tenant show': async ({ run, directory }, flags) => [
    await run('tenant', 'show', '--local', join(directory, 'x.db'), ...flags),
  ],
  'tenant check': async ({ fed }, flags) => [
    await fed('{"tenant_id":"acme"}', 'tenant', 'check', '-', ...flags),
  ],
  'tenant apply': async ({ fed, directory }, flags) => [
    await fed('{}', 'tenant', 'apply', '-', '--local', join(directory, 'y.db'), ...flags),
  ],
  'tenant copy': async ({ run, fed, directory }, flags) => {
    await fed('{}', 'tenant', 'apply', '-', '--local', join(directory, 'y.db'));
    return [
      await run('tenant', 'copy', join(directory, 'z.db'), '--local', join(directory, 'y.db'), ...flags),
    ];
  },
  'tenant learn': async ({ run }, flags) => [
    await run('tenant', 'learn', ...flags),
    await run('tenant', 'learn', '--with-values', ...flags),
  ],
  'apps list': (stage, flags) =>
    onTenant(stage, ['apps', 'create', ...flags], ['apps', 'list', ...flags]).then(last),
  'apps create': (stage, flags) => onTenant(stage, ['apps', 'create', '--name', 'HR', ...flags]),
  'apps rotate-secret': async (stage, flags) => {
    const id = await newApplication(stage);
    return onTenant(stage, ['apps', 'rotate-secret', id, ...flags]);
  },
  'apps revoke': async (stage, flags) => {
    const id = await newApplication(stage);
    return onTenant(stage, ['apps', 'revoke', '--yes', id, ...flags]);
  },
  'sessions end': async (stage, flags) => {
    const id = await newApplication(stage);
    return onTenant(stage, ['sessions', 'end', '--app', id, ...flags]);
  },
  'keys list': (stage, flags) => onTenant(stage, ['keys', 'rotate', ...flags], ['keys', 'list', ...flags]),
  'keys rotate': (stage, flags) => onTenant(stage, ['keys', 'rotate', ...flags]),
  'keys reset': (stage, flags) => onTenant(stage, ['keys', 'reset', '--yes', ...flags]),
  login: async ({ run, directory }, flags) => [
    await run('login', ...flags),
    await run('login', '--local', join(directory, 'z.db'), '--profile', 'here', ...flags),
  ],
  assess: async ({ run, directory }, flags) => {
    const file = join(directory, 'assessed.csv');
    await writeFile(file, `login,pwd,status\nann,${goodHashes.md5},1\nbob,x,0\n`);
    return [await run('assess', file, ...flags)];
  },
  forecast: async ({ run, directory }, flags) => {
    const file = join(directory, 'forecast.csv');
    await writeFile(file, `user_name,algorithm,hash\nann,md5,${goodHashes.md5}\nbob,md5,x\n`);
    return [
      await run('forecast', file, '--window', '22:00-05:00', ...flags),
      await run('forecast', file, '--probe-reads', '5s', ...flags),
    ];
  },
  template: async ({ run }, flags) => [await run('template', ...flags)],
  'recipe list': async ({ run }, flags) => [await run('recipe', 'list', ...flags)],
  'recipe show': async ({ run }, flags) => [await run('recipe', 'show', 'django', ...flags)],
  'recipe make': async ({ run, directory }, flags) => {
    const file = join(directory, 'made-from.csv');
    await writeFile(file, `uid,login,pwd\n1,ann,${goodHashes.md5}\n`);
    return [
      await run('recipe', 'make', file, ...flags),
      await run('recipe', 'make', file, '--map', 'user_name=login', '--to', `${file}.yaml`, ...flags),
    ];
  },
  'recipe check': async ({ run, directory }, flags) => {
    const [recipe, data] = [join(directory, 'recipe.yaml'), join(directory, 'data.csv')];
    await writeFile(recipe, 'fields: { user_name: { column: a } }\n');
    await writeFile(data, 'a,b\nann,1\n');
    return [
      await run('recipe', 'check', recipe, ...flags),
      await run('recipe', 'check', recipe, data, ...flags),
    ];
  },
  'hash identify': async ({ fed }, flags) => [
    await fed(`${goodHashes.bcrypt}\n${goodHashes.md5} \nsecret\n`, 'hash', 'identify', ...flags),
  ],
  'hash verify': async ({ directory, run }, flags) => {
    const [hash, right, wrong, blank] = ['hash', 'right', 'wrong', 'blank'].map((name) =>
      join(directory, name),
    );
    await writeFile(hash ?? '', goodHashes.md5);
    for (const [file, word] of [
      [right, 'secret'],
      [wrong, 'other'],
      [blank, 'secret '],
    ] as const) {
      await writeFile(file ?? '', word);
    }
    const verify = (file = '') =>
      run(
        'hash',
        'verify',
        '--algorithm',
        'md5',
        '--hash-file',
        hash ?? '',
        '--password-file',
        file,
        ...flags,
      );
    return [await verify(right), await verify(wrong), await verify(blank)];
  },
  logout: async ({ run }, flags) => {
    await run('login', '--profile', 'one');
    return [await run('logout', '--profile', 'one', ...flags), await run('logout', '--all', ...flags)];
  },
  'profiles list': async ({ run, directory }, flags) => {
    const none = await run('profiles', 'list', ...flags);
    await run('login');
    await run('login', '--local', join(directory, 'z.db'), '--profile', 'here');
    await run('logout', '--profile', 'here');
    return [none, await run('profiles', 'list', ...flags)];
  },
  'profiles use': async ({ run }, flags) => {
    await run('login', '--profile', 'one');
    return [await run('profiles', 'use', 'one', ...flags)];
  },
  'profiles remove': async ({ run }, flags) => {
    await run('login', '--profile', 'one');
    await run('login', '--profile', 'two');
    await run('profiles', 'use', 'one');
    return [
      await run('profiles', 'remove', 'two', '--yes', ...flags),
      await run('profiles', 'remove', 'one', '--yes', ...flags),
    ];
  },
  status: async ({ run, directory }, flags) => [
    await run('status', ...flags),
    await run('status', '--local', join(directory, 'z.db'), ...flags),
  ],
  doctor: async ({ run, directory }, flags) => [
    await run('doctor', ...flags),
    await run('doctor', '--fix', '--yes', ...flags),
    await run('doctor', '--local', join(directory, 'z.db'), ...flags),
  ],
  'import-hashes': async (stage, flags) => [
    await importFile(stage, '--dry-run', ...flags),
    await importFile(stage, ...flags),
  ],
  ...planPerformances,
  ...jobPerformances,
  'import-hashes merge': async (stage, flags) => {
    const { directory, run } = stage;
    const jobs = [1, 2].map((index) => join(directory, `share${index}`));
    for (const [index, job] of jobs.entries())
      await importFile(stage, '--shard', `${index + 1}/2`, '--job', job);
    return [await run('import-hashes', 'merge', ...jobs, '--job', join(directory, 'whole'), ...flags)];
  },
  'sso ticket': async ({ fed }, flags) => [
    await fed('secret', 'sso', 'ticket', 'ann', '--password-stdin', ...device, ...flags),
  ],
  'sso check': async ({ fed }, flags) => [
    await fed('secret', 'sso', 'check', 'ann', '--password-stdin', ...device, ...flags),
  ],
  'sso verify': async ({ fed }, flags) => {
    const { stdout } = await fed('secret', 'sso', 'ticket', 'ann', '--password-stdin', ...device, '--json');
    return [await fed(JSON.parse(stdout).sso_ticket, 'sso', 'verify', ...device, ...flags)];
  },
  audit: async ({ run, directory }, flags) => {
    const database = join(directory, 'audited.db');
    await run('create', '--local', database, '--user-name', 'zoe');
    await run('update', '--local', database, '--by-user-name', 'zoe', '--name', 'Zoe');
    return [await run('audit', '--local', database, ...flags)];
  },
  serve: async (_, flags) => {
    const made = await startProgram(['serve', '--port', '0', '--database', ':memory:', ...flags]);
    const given = await startProgram(
      ['serve', '--port', '0', '--database', ':memory:', ...flags],
      credentials,
    );
    const lines = await Promise.all([made, given].map(firstLine));
    return lines.map((line) => ({ ...silentProgram, stdout: `${line}\n` }));
  },
  explain: async ({ run }, flags) => [
    await run('explain', '7', ...flags),
    await run('explain', 'USER.0034', ...flags),
    await run('explain', 'USER.0034', '7', ...flags),
    await run('explain', ...flags),
  ],
  schema: async ({ run }, flags) => [
    await run('schema', 'list', ...flags),
    await run('schema', ...flags),
    await run('schema', '--tree', ...flags),
  ],
};
