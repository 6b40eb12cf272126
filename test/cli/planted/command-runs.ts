import type { commandShapes } from '../../../src/cli/schemas/command-shapes.ts';
import { agentRuns } from './agent-runs.ts';
import { fed, line, type Place, quoted, type Step } from './given-files.ts';
import { planted } from './secrets.ts';
import { userRuns } from './user-runs.ts';

const { password, md5, hmac, clientSecret } = planted;

/** Command lines for the database of a tenant. */
function onTenant({ given, fresh }: Place, ...lines: string[][]): Step[] {
  const local = ['--local', fresh('local.db')];
  const all = [['tenant', 'apply', given('tenant.json')], ...lines];
  return all.map((args) => ({ args: [...args, ...local] }));
}

/**
 * Command lines of every command with the planted secrets. Those that call the service come first, unless they depend
 * on others.
 */
export const commandRuns: Record<keyof typeof commandShapes, (place: Place) => Step[]> = {
  ...userRuns,
  'import-hashes': ({ given, fresh }) => {
    const job = () => ['--job', fresh('job')];
    const importing = (name: Parameters<Place['given']>[0], ...more: string[]) =>
      line('import-hashes', given(name), '--yes', ...job(), ...more);
    return [
      importing('good.csv'),
      importing('doubtful.csv', '--max-failures', '100%', '--window', '00:00-24:00'),
      importing('good.csv', '--key-file', given('key.txt'), '--canary', given('known.csv')),
      fed(
        `ann,${quoted(password)}\n`,
        'import-hashes',
        given('good.csv'),
        '--yes',
        ...job(),
        '--canary',
        '-',
      ),
      // These send nothing.
      importing('good.csv', '--dry-run'),
      importing('shifted.csv', '--max-failures', '100%'),
      importing('torn.csv'),
      importing('headless.csv'),
      importing('good.csv', '--map-file', given('map.txt')),
      importing('good.csv', '--canary', given('mismatched.csv')),
      importing('good.csv', '--canary', given('torn-known.csv')),
      importing('good.csv', '--canary', given('nobody.csv')),
      importing('good.csv', '--rehearse', '--canary', given('known.csv')),
      importing('doubtful.csv', '--rehearse', '--max-failures', '100%'),
    ];
  },
  mcp: agentRuns,
  plan: ({ given, fresh }) =>
    (['good.csv', 'doubtful.csv', 'shifted.csv'] as const).map((file) =>
      line('plan', given(file), '--to', fresh('plan'), '--with-values'),
    ),
  'plan show': ({ given, fresh }) => {
    const to = fresh('plan');
    return [line('plan', given('good.csv'), '--to', to), line('plan', 'show', to, '--action', 'create')];
  },
  'plan diff': ({ given, fresh }) => {
    const plans = [fresh('plan'), fresh('plan')];
    return [
      ...plans.map((to) => line('plan', given('good.csv'), '--to', to)),
      line('plan', 'diff', ...plans),
    ];
  },
  'plan sign': ({ given, fresh }) => {
    const to = fresh('plan');
    return [line('plan', given('good.csv'), '--to', to), line('plan', 'sign', to, given('key.txt'))];
  },
  'plan verify': ({ given, fresh }) => {
    const to = fresh('plan');
    return [line('plan', given('good.csv'), '--to', to), line('plan', 'verify', to, given('key.txt'))];
  },
  apply: ({ given, fresh }) => {
    const to = fresh('plan');
    return [line('plan', given('good.csv'), '--to', to), line('apply', to, '--yes')];
  },
  compare: ({ given, fresh }) => [
    line('import-hashes', given('good.csv'), '--yes', '--job', fresh('job')),
    ...(['good.csv', 'doubtful.csv'] as const).map((file) =>
      line('compare', given(file), '--to', fresh('comparison')),
    ),
  ],
  assess: ({ given }) => [
    line('assess', given('good.csv')),
    line('assess', given('doubtful.csv'), '--recipe', given('recipe.yaml')),
    line('assess', given('headless.csv')),
  ],
  forecast: ({ given }) => [line('forecast', given('doubtful.csv'), '--probe-reads', '5s', '--rate', '10/s')],
  template: ({ given }) => [line('template'), line('template', '--tenant', given('broken.json'))],
  'recipe list': () => [line('recipe', 'list')],
  'recipe show': () => [line('recipe', 'show', 'django'), line('recipe', 'show', 'none')],
  'recipe make': ({ given }) =>
    (['known.csv', 'headless.csv', 'shifted.csv', 'doubtful.csv'] as const).map((file) =>
      line('recipe', 'make', given(file)),
    ),
  'recipe check': ({ given }) => [
    line('recipe', 'check', given('recipe.yaml'), given('doubtful.csv')),
    line('recipe', 'check', given('torn-recipe.yaml')),
    line('recipe', 'check', given('md5.txt')),
  ],
  'import-hashes merge': ({ given, fresh }) =>
    (['good.csv', 'doubtful.csv'] as const).flatMap((file) => {
      const jobs = [fresh('share'), fresh('share')];
      const shares = jobs.map((job, index) =>
        line('import-hashes', given(file), '--yes', '--shard', `${index + 1}/2`, '--job', job),
      );
      return [...shares, line('import-hashes', 'merge', ...jobs, '--job', fresh('whole'))];
    }),
  'import-hashes status': ({ given, fresh }) => {
    const jobs = [fresh('job'), fresh('job')];
    return [
      line('import-hashes', given('good.csv'), '--dry-run', '--job', jobs[0] ?? ''),
      line('import-hashes', given('doubtful.csv'), '--yes', '--job', jobs[1] ?? ''),
      ...[...jobs, given('good.csv')].map((job) => line('import-hashes', 'status', job)),
    ];
  },
  evidence: ({ given, fresh }) => {
    const job = fresh('job');
    return [
      line('import-hashes', given('good.csv'), '--yes', '--job', job),
      line('evidence', job, '--to', fresh('evidence')),
      line('evidence', job, '--to', fresh('evidence'), '--sign', given('key.txt')),
    ];
  },
  'evidence verify': ({ given, fresh }) => {
    const [job, to] = [fresh('job'), fresh('evidence')];
    return [
      line('import-hashes', given('doubtful.csv'), '--yes', '--job', job),
      line('evidence', job, '--to', to),
      line('evidence', 'verify', to),
      line('evidence', 'verify', to, given('key.txt')),
      line('evidence', 'verify', given('hashes.txt')),
    ];
  },
  'job retarget': ({ given, fresh }) => {
    const job = fresh('job');
    return [
      line('import-hashes', given('doubtful.csv'), '--yes', '--job', job),
      line('job', 'retarget', job),
      line('job', 'retarget', job, '--local', fresh('local.db')),
    ];
  },
  'job purge': ({ given, fresh }) => {
    const job = fresh('job');
    return [
      line('import-hashes', given('doubtful.csv'), '--yes', '--job', job),
      line('job', 'purge', job, '--yes'),
    ];
  },
  runs: ({ given, fresh }) => [
    line('import-hashes', given('good.csv'), '--yes', '--job', fresh('job')),
    line('runs'),
  ],
  log: ({ given, fresh }) => [
    line('import-hashes', given('good.csv'), '--yes', '--job', fresh('job')),
    line('create', '--data', given('user.json')),
    line('update', 'u-1', '--name', 'Ann'),
    line('disable', '-y', '20201028102749564-9082-DC8CD2722'),
    line('log', '--all'),
    line('log', '--user', password),
  ],
  'hash identify': ({ given }) => [
    line('hash', 'identify', given('hashes.txt')),
    fed(`${md5}\n${hmac}\n${password}`, 'hash', 'identify'),
    line('hash', 'identify', md5),
  ],
  'hash verify': ({ given }) => {
    const verify = (...more: string[]) => line('hash', 'verify', ...more);
    const proof = ['--algorithm', 'md5', '--hash-file', given('md5.txt'), '--password-file'];
    const keyed = ['--algorithm', 'hmacsha256_base64_key', '--hash-file', given('hmac.txt')];
    return [
      verify(...proof, given('password.txt')),
      verify(...proof, given('wrong.txt')),
      verify(...proof, given('md5.txt')),
      verify(...keyed, '--key-file', given('key.txt'), '--password-file', given('password.txt')),
      verify('--csv', given('shifted.csv'), '--row', '1', '--password-file', given('password.txt')),
      verify('--csv', given('good.csv'), '--by-user-name', 'bob', '--password-file', given('password.txt')),
      fed(password, 'hash', 'verify', ...proof.slice(0, 2), '--hash-file', md5, '--password-stdin'),
    ];
  },
  'tenant show': ({ fresh }) => [line('tenant', 'show', '--local', fresh('local.db'))],
  'tenant learn': () => [line('tenant', 'learn'), line('tenant', 'learn', '--with-values')],
  'tenant check': ({ given }) => [
    line('tenant', 'check', given('tenant.json')),
    line('tenant', 'check', given('broken.json')),
  ],
  cutover: ({ given, fresh }) => {
    const job = fresh('job');
    return [
      line('import-hashes', given('good.csv'), '--yes', '--job', job),
      line('cutover', job, '--dormant', fresh('dormant.csv')),
    ];
  },
  undo: ({ given, fresh }) => {
    const [job, to] = [fresh('job'), fresh('undo')];
    return [
      line('import-hashes', given('good.csv'), '--yes', '--job', job),
      line('undo', job, '--to', to, '--dry-run', '--with-values'),
      line('undo', job, '--to', to, '--yes'),
    ];
  },
  'tenant apply': ({ given, fresh }) => [
    line('tenant', 'apply', given('tenant.json'), '--local', fresh('local.db')),
    line('tenant', 'apply', given('broken.json'), '--local', fresh('local.db')),
  ],
  'tenant copy': ({ given, fresh }) => {
    const database = fresh('local.db');
    return [
      line('tenant', 'apply', given('tenant.json'), '--local', database),
      line('tenant', 'copy', fresh('copied.db'), '--local', database),
    ];
  },
  'apps list': (place) => onTenant(place, ['apps', 'list']),
  'apps create': (place) => onTenant(place, ['apps', 'create']),
  'apps rotate-secret': (place) => onTenant(place, ['apps', 'rotate-secret', clientSecret]),
  'apps revoke': (place) => onTenant(place, ['apps', 'revoke', clientSecret, '--yes']),
  'sessions end': (place) =>
    onTenant(place, ['sessions', 'end', password], ['sessions', 'end', '--app', clientSecret]),
  'keys list': ({ given, fresh }) => onTenant({ given, fresh }, ['keys', 'list']),
  'keys rotate': ({ given, fresh }) =>
    onTenant({ given, fresh }, ['keys', 'rotate', '--key-file', given('secret.txt')], ['keys', 'rotate']),
  'keys reset': ({ given, fresh }) => onTenant({ given, fresh }, ['keys', 'reset', '--yes']),
  login: ({ given }) => [
    line('login'),
    fed(clientSecret, 'login', '--client-secret-stdin', '--auth-style', 'form'),
    line('login', '--client-secret-file', given('secret.txt'), '--auth-style', 'basic', '--profile', 'other'),
  ],
  logout: () => [line('logout'), line('logout', '--all')],
  status: () => [line('status'), line('status', '--forget-pace')],
  doctor: () => [line('doctor'), line('doctor', '--fix', '--yes')],
  'profiles list': () => [line('profiles', 'list')],
  'profiles use': () => [line('profiles', 'use', 'default'), line('profiles', 'use', 'nobody')],
  'profiles remove': () => [line('profiles', 'remove', 'default', '-y')],
  audit: ({ given, fresh }) => [
    line('audit', '--file', given('hashes.txt')),
    line('audit', '--file', fresh('none.jsonl')),
  ],
  serve: ({ fresh }) => [
    line('serve', '--port', '0', '--database', fresh('local.db'), '--log-level', 'info'),
  ],
  explain: () => [line('explain'), line('explain', '7')],
  schema: () => [line('schema'), line('schema', 'list')],
  help: () => [line('help', 'environment'), line('help', 'users', 'list'), line('help', 'nobody')],
  completion: () => [line('completion', 'bash'), line('completion', 'fish')],
  complete: () => [line('complete', '--', 'profiles', 'use', ''), line('complete', '--', 'status', '--')],
};
