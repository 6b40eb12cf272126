import { expect, test } from 'vitest';
import { exitCodes } from '../src/cli/errors/exit-codes.ts';
import { buildProgram } from '../src/cli/program.ts';
import { readDefinition } from '../src/service/tenant/read-definition.ts';
import { pageAt, pages } from './pages.ts';
import { generatedBlocks, placesOf, withBlocks } from './reference.ts';

const program = buildProgram({ env: {} } as Parameters<typeof buildProgram>[0]);
const blocks = await generatedBlocks(program);

const generated = pages.filter(({ text }) => placesOf(text).length > 0);

// `npm run reference` is this test with --update, which writes the pages.
test.each(generated)('$path matches the program; if not, run: npm run reference', async ({ file, text }) => {
  await expect(withBlocks(text, blocks)).toMatchFileSnapshot(file);
});

test('every generated text has a place in a page', () => {
  const places = generated.flatMap(({ text }) => placesOf(text));
  expect(places.sort()).toEqual(Object.keys(blocks).sort());
});

test('every exit code and every global option is in the reference', () => {
  const { text: codes } = pageAt('docs/reference/exit-codes.md');
  for (const code of Object.values(exitCodes)) expect(codes).toMatch(new RegExp(`\\| ${code} \\|`));
  const { text: commands } = pageAt('docs/reference/commands.md');
  for (const { long } of program.options) expect(commands).toContain(long);
});

test('the example of a tenant definition can be applied, and every key of a definition is explained', () => {
  const { text } = pageAt('docs/reference/tenant-definition.md');
  const example = /## An example\s+```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  expect(readDefinition(example)).toHaveProperty('value');
  const explained = text.slice(text.indexOf('## Keys'), text.indexOf('## The default tenant'));
  const {
    attributes: _,
    extension: __,
    ...sections
  } = JSON.parse(/## The default tenant[\s\S]*?```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '') as Record<
    string,
    object | string
  >;
  const keys = Object.entries(sections).flatMap(([name, value]) =>
    typeof value === 'string' ? [name] : Object.keys(value).map((key) => key),
  );
  expect(keys.length).toBeGreaterThan(15);
  expect(keys.filter((key) => !new RegExp(`[\`.]${key}\``).test(explained))).toEqual([]);
});
