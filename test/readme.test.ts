import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/cli/errors/exit-codes.ts';
import { buildProgram } from '../src/cli/program.ts';
import { referenceOf, withReference } from './reference.mjs';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const program = buildProgram({ env: {} } as Parameters<typeof buildProgram>[0]);

test('the command reference is what the program says of itself; otherwise: npm run reference', () => {
  expect(withReference(readme, referenceOf(program))).toBe(readme);
});

test('every exit code and every global option is in the README', () => {
  const table = readme.slice(readme.indexOf('## Exit codes'), readme.indexOf('## JSON'));
  for (const code of Object.values(exitCodes)) expect(table).toMatch(new RegExp(`\\| ${code} \\|`));
  for (const { long } of program.options) expect(readme).toContain(long);
});
