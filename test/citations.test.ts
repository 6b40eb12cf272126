import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../src/contract/operations.ts';
import { headingsOf, pageAt, pages } from './pages.ts';

const root = resolve(import.meta.dirname, '..');

const api = pageAt('docs/api.md');
const decisions = pageAt('docs/decisions.md');

const numberOf = (heading: string): string => /^(\d[\d.]*[a-z]?)\.? /.exec(heading)?.[1] ?? '';
const sections = new Set(headingsOf(api).map((heading) => numberOf(heading).replace(/\.$/, '')));
const decided = new Set(headingsOf(decisions).map((heading) => numberOf(heading).replace(/\.$/, '')));

const code = ['src', 'test', 'bench', 'fixtures'].flatMap((directory) =>
  readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs|json)$/.test(name))
    .map((name) => ({
      path: join(directory, name),
      text: readFileSync(join(root, directory, name), 'utf8'),
    })),
);

const cited = [
  ...code.filter(({ path }) => !path.endsWith('citations.test.ts')),
  ...pages.filter(({ path }) => path.startsWith('docs/')),
];

/** A citation may be broken at the end of a line of a comment. */
const prose = (text: string): string => text.replace(/\n\s*(?:\*|\/\/)? */g, ' ');

/** `decision 17`, `decisions 21, 25b`, `decisions 26 and 27`, `decisions 31 to 35`. */
const decisionList = /\bdecisions? (\d+[a-z]?(?:(?:,| to| and|, and) \d+[a-z]?)*)/gi;

function citationsOf(text: string): { numbers: string[]; paragraphs: string[] } {
  const joined = prose(text);
  return {
    numbers: [...joined.matchAll(decisionList)].flatMap(([, list = '']) => list.match(/\d+[a-z]?/g) ?? []),
    paragraphs: [...joined.matchAll(/§ ?(\d+(?:\.\d+)*)/g)].map(([, number = '']) => number),
  };
}

test('every decision and every section that is cited exists', () => {
  const citations = cited.map(({ path, text }) => ({ path, ...citationsOf(text) }));
  const unresolved = citations.flatMap(({ path, numbers, paragraphs }) => [
    ...numbers.filter((number) => !decided.has(number)).map((number) => `${path}: decision ${number}`),
    ...paragraphs.filter((number) => !sections.has(number)).map((number) => `${path}: §${number}`),
  ]);
  expect(unresolved).toEqual([]);
  expect(citations.flatMap(({ numbers, paragraphs }) => [...numbers, ...paragraphs]).length).toBeGreaterThan(
    150,
  );
});

test('decisions are numbered without a gap, each once', () => {
  const numbers = headingsOf(decisions).map(numberOf).filter(Boolean);
  const whole = numbers.filter((number) => /^\d+$/.test(number)).map(Number);
  expect(whole).toEqual(whole.map((_, index) => index + 1));
  expect(numbers).toHaveLength(new Set(numbers).size);
});

test.each(Object.entries(operations))(
  'the page of the API describes %s',
  (name, { section, method, url }) => {
    expect(api.text).toContain(`| ${section} | \`${method} ${url}\` |`);
    expect(api.text).toContain(`| \`${name}\` |`);
  },
);
