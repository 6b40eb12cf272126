import { expect, test } from 'vitest';
import { buildProgram } from '../src/cli/program.ts';
import { pages } from './pages.ts';
import { generatedBlocks, placesOf, withBlocks } from './reference.ts';

const program = buildProgram({ env: {} } as Parameters<typeof buildProgram>[0]);
const blocks = generatedBlocks(program);

const generated = pages.filter(({ text }) => placesOf(text).length > 0);

// `npm run reference` is this test with --update, which writes the pages.
test.each(generated)(
  '$path says what the program says; otherwise: npm run reference',
  async ({ file, text }) => {
    await expect(withBlocks(text, blocks)).toMatchFileSnapshot(file);
  },
);

test('everything that is generated has a place', () => {
  const places = generated.flatMap(({ text }) => placesOf(text));
  expect(places.sort()).toEqual(Object.keys(blocks).sort());
});
