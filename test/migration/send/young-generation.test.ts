import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'rolldown';
import { expect, test } from 'vitest';

const input = fileURLToPath(new URL('../../../src/migration/send/young-generation.ts', import.meta.url));

/** Makes garbage, of which some survives; between its parts the program hears of collections. Megabytes at the end, and V8's flags. */
const makeGarbage = `
  const { cachedDataVersionTag, getHeapSpaceStatistics } = require('node:v8');
  const flags = cachedDataVersionTag();
  const end = exports.boundYoungGeneration(() => Number(process.argv[1]));
  const kept = [];
  let made = 0;
  const make = () => {
    for (let part = 0; part < 2000; part += 1) kept[made++ % 30_000] = { made, text: 'text ' + made, list: [made] };
    if (made < 6e6) return setImmediate(make);
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20;
    end();
    console.log(JSON.stringify({ young, isAsBefore: cachedDataVersionTag() === flags }));
  };
  make();`;

test('the young generation stays small while few rows are under way, and V8 is left as it was', async () => {
  const { output } = await build({ input, platform: 'node', output: { format: 'cjs' }, write: false });
  const program = `${output[0].code}\n${makeGarbage}`;
  const run = async (rows: number) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program, String(rows)], {
      env: { PATH: process.env.PATH },
    });
    return JSON.parse(stdout) as { young: number; isAsBefore: boolean };
  };
  expect(await run(64)).toEqual({ young: 16, isAsBefore: true });
  const { young, isAsBefore } = await run(512);
  expect(young).toBeGreaterThan(16);
  expect(isAsBefore).toBe(true);
});
