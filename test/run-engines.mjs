import { spawnSync } from 'node:child_process';
import { engines, isEngine } from './engines.mjs';

// npm run engines [NAME...]: the tests of the service on PostgreSQL once more for each engine that it can be taken for.
const names = process.argv.slice(2);
const unknown = names.find((name) => !isEngine(name));
if (unknown !== undefined) {
  process.stderr.write(`${unknown} is none of ${Object.keys(engines).join(', ')}\n`);
  process.exit(2);
}
const failed = (names.length > 0 ? names : Object.keys(engines)).filter((name) => {
  process.stdout.write(`\n${name}\n`);
  const command = ['vitest', 'run', '--project', 'postgresql', '--reporter', 'dot', '--testTimeout', '60000'];
  const { status } = spawnSync('npx', command, {
    stdio: 'inherit',
    env: { ...process.env, TEST_ENGINE: name },
  });
  return status !== 0;
});
process.stdout.write(failed.length > 0 ? `failed: ${failed.join(', ')}\n` : 'passed on every engine\n');
process.exitCode = failed.length > 0 ? 1 : 0;
