import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { engines, isEngine } from './engines.mjs';

// npm run engines -- [--races SHARE,…] [NAME...]: runs the tests of the service on PostgreSQL for each simulated
// engine, and for each share of transactions that fail with 40001 (default: the engine's own).
const { values, positionals: names } = parseArgs({
  options: { races: { type: 'string', default: '' } },
  allowPositionals: true,
});
const shares = values.races.split(',');
const unknown = names.find((name) => !isEngine(name));
if (unknown !== undefined || !shares.every((share) => share === '' || (share >= '0' && Number(share) < 1))) {
  const takes = `names of ${Object.keys(engines).join(', ')}, and --races with shares below 1, such as 0.01,0.1`;
  process.stderr.write(`npm run engines takes ${takes}\n`);
  process.exit(2);
}
const runs = (names.length > 0 ? names : Object.keys(engines)).flatMap((name) =>
  shares.map((share) => ({ name, share })),
);
const failed = runs.filter(({ name, share }) => {
  process.stdout.write(`\n${name} ${share}\n`);
  const command = ['vitest', 'run', '--project', 'postgresql', '--reporter', 'dot', '--testTimeout', '60000'];
  const { status } = spawnSync('npx', command, {
    stdio: 'inherit',
    env: { ...process.env, TEST_ENGINE: name, TEST_RACES: share },
  });
  return status !== 0;
});
const told = failed.map(({ name, share }) => `${name} ${share}`.trim()).join(', ');
process.stdout.write(failed.length > 0 ? `failed: ${told}\n` : 'passed on every engine\n');
process.exitCode = failed.length > 0 ? 1 : 0;
