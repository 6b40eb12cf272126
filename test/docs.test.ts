import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { builtInNames } from '../src/migration/recipes/built-in.ts';
import { usualLists } from '../src/migration/source/json/usual-lists.ts';
import { formerWord } from './former-words.ts';
import { anchorOf, headingsOf, pageAt, pages } from './pages.ts';

const root = resolve(import.meta.dirname, '..');
const anchors = new Map(pages.map((page) => [page.path, headingsOf(page).map(anchorOf)]));

/** The targets of a page's links, without those in blocks and spans of code. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => address);
}

/** Whether the target of a link exists: a file and, if the link has one, a heading. */
function resolves(from: string, address: string): boolean {
  const [path = '', anchor] = address.split('#');
  const target =
    path === '' ? from : relative(root, resolve(root, dirname(from), path)).replaceAll('\\', '/');
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || (anchors.get(target)?.includes(anchor) ?? false);
}

test('every link from page to page leads to a file and a heading that exist', () => {
  const broken = pages.flatMap(({ path, text }) =>
    linksOf(text)
      .filter((address) => !/^[a-z]+:/.test(address) && !resolves(path, address))
      .map((address) => `${path}: ${address}`),
  );
  expect(broken).toEqual([]);
});

test('every page can be reached from README.md', () => {
  const reached = new Set<string>();
  const follow = (path: string) => {
    if (reached.has(path)) return;
    reached.add(path);
    const page = pages.find((candidate) => candidate.path === path);
    for (const address of page ? linksOf(page.text) : []) {
      const [file = ''] = address.split('#');
      if (file.endsWith('.md')) follow(join(dirname(path), file).replaceAll('\\', '/'));
    }
  };
  follow('README.md');
  expect(
    pages.map(({ path }) => path).filter((path) => !path.startsWith('.github/') && !reached.has(path)),
  ).toEqual([]);
});

const files = ['src', 'test', 'bench', 'fixtures', 'bin', '.'].flatMap((directory) =>
  readdirSync(join(root, directory), { recursive: directory !== '.', encoding: 'utf8' }).map((name) =>
    join(directory, name).replaceAll('\\', '/'),
  ),
);

test('every file of the project that an internals page names exists', () => {
  const inside = pages.filter(({ path }) =>
    /^docs\/(internals|guide|glossary)|^CONTRIBUTING|^docs\/decisions/.test(path),
  );
  const missing = inside.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:[\w.-]+\/)*[\w-]+(?:\.test)?\.(?:ts|mjs))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('pages, and the text that the program writes into them, use the words of the glossary', () => {
  const written = pages.map(({ path, text }) => ({
    path,
    text: text.replace(/^```json[\s\S]*?^```$/gm, ''),
  }));
  const found = written.flatMap(({ path, text }) => {
    const former = formerWord.exec(text);
    return former ? [`${path}: ${former[0]}`] : [];
  });
  expect(found).toEqual([]);
});

test('the glossary has each word once, in the order of the alphabet', () => {
  const { text } = pageAt('docs/glossary.md');
  const lists = text
    .split(/^## /m)
    .map((part) => [...part.matchAll(/^\* \*\*(.+?)\*\*/gm)].map(([, word = '']) => word));
  const words = lists.flat();
  expect(words.length).toBeGreaterThan(50);
  expect(new Set(words.map((word) => word.toLowerCase())).size).toBe(words.length);
  for (const list of lists) expect(list).toEqual([...list].sort((a, b) => a.localeCompare(b, 'en')));
});

test('the changelog has the form of Keep a Changelog', () => {
  const [title, ...headings] = headingsOf(pageAt('CHANGELOG.md'));
  expect(title).toBe('Changelog');
  expect(headings[0]).toBe('[Unreleased]');
  const form =
    /^(\[Unreleased\]|\[\d+\.\d+\.\d+\] - (\d{4}-\d\d-\d\d|not published))$|^(Added|Changed|Deprecated|Removed|Fixed|Security)$/;
  expect(headings.filter((heading) => !form.test(heading))).toEqual([]);
  expect(headings.some((heading) => heading.startsWith(`[${manifest.version}] - `))).toBe(true);
});

test('the documentation explains every variable that the program reads, and no other', () => {
  const named = (text: string) => new Set(text.match(/TENANT_USERS_[A-Z]+(?:_[A-Z]+)*/g) ?? []);
  const source = files
    .filter((file) => /^src\/.*\.ts$/.test(file))
    .map((file) => readFileSync(join(root, file), 'utf8'));
  expect(named(pageAt('docs/reference/environment.md').text)).toEqual(named(source.join('\n')));
});

test('the guide has every built-in recipe, and every name of a list in which people are found', () => {
  const missing = (path: string, names: readonly string[]) =>
    names.filter((name) => !pageAt(path).text.includes(`\`${name}\``));
  expect(missing('docs/guide/from/index.md', builtInNames)).toEqual([]);
  expect(missing('docs/guide/importing.md', usualLists)).toEqual([]);
});
