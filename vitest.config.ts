import { defineConfig } from 'vitest/config';
import { postgresBinaries } from './test/postgres-binaries.mjs';

const limits = { testTimeout: 20_000, hookTimeout: 20_000 };

const sqlite = {
  test: {
    ...limits,
    name: 'sqlite',
    include: ['test/**/*.test.ts'],
    exclude: ['test/service/store/postgres*.test.ts'],
  },
};

/** The service once more, on a PostgreSQL of its own. */
const postgresql = {
  test: {
    ...limits,
    name: 'postgresql',
    // Files of one worker share the modules they load, which is most of the time; the sqlite project has them apart.
    isolate: false,
    include: ['test/service/**/*.test.ts'],
    exclude: ['test/service/store/sqlite.test.ts'],
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
