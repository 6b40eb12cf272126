import { defineConfig } from 'vitest/config';
import { postgresBinaries } from './test/postgres-binaries.mjs';

// The files of a worker share the modules they load: loading them for each file anew takes as long as the tests do.
const limits = { testTimeout: 20_000, hookTimeout: 20_000, isolate: false };

const sqlite = {
  test: {
    ...limits,
    name: 'sqlite',
    include: ['test/**/*.test.ts'],
    exclude: ['test/service/storage/engine/postgres/*.test.ts'],
  },
};

/** The service once more, on a PostgreSQL of its own. */
const postgresql = {
  test: {
    ...limits,
    name: 'postgresql',
    include: ['test/service/**/*.test.ts'],
    exclude: ['test/service/storage/engine/sqlite/sqlite.test.ts'],
    env: { TEST_DATABASE: 'postgresql' },
    globalSetup: ['test/postgres-setup.ts'],
  },
};

const hasPostgres = postgresBinaries() !== undefined;
if (!hasPostgres) {
  process.stderr.write('SKIPPED: the tests on PostgreSQL; initdb and postgres are not on the PATH\n');
}

// A worker for every core: most tests wait for a service that runs in the same worker.
export default defineConfig({
  test: { projects: hasPostgres ? [sqlite, postgresql] : [sqlite], maxWorkers: '100%' },
});
