import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { formerWord } from './former-words.ts';

const root = resolve(import.meta.dirname, '..');

interface SourceFile {
  /** Relative to the project, with slashes. */
  path: string;
  text: string;
}

function filesBelow(directory: string): SourceFile[] {
  return readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|js)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/[\\/](dist|node_modules)[\\/]/.test(path))
    .map((path) => ({
      path: relative(root, path).replaceAll('\\', '/'),
      text: readFileSync(path, 'utf8'),
    }));
}

const source = filesBelow('src');
const all = [...source, ...['test', 'bench', 'bin', 'fixtures'].flatMap(filesBelow)];

type ImportKind = 'value' | 'type' | 'lazy';

interface Import {
  kind: ImportKind;
  from: string;
}

const statements =
  /^(?:import|export)\s(?:(type)\s)?(?:[^'"();]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

function importsOf(text: string): Import[] {
  return [...text.matchAll(statements)].map(([, type, from, lazy]) =>
    lazy === undefined ? { kind: type ? 'type' : 'value', from: from ?? '' } : { kind: 'lazy', from: lazy },
  );
}

/** What each layer may import: other layers, and packages or modules of Node; `true` means any. */
const layers: Record<string, { outside: true | string[]; layers: Record<string, ImportKind[]> }> = {
  text: { outside: true, layers: {} },
  bundle: { outside: true, layers: {} },
  contract: {
    outside: ['valibot', '@valibot/to-json-schema'],
    layers: { text: ['value', 'type'] },
  },
  client: { outside: true, layers: { text: ['value', 'type'], contract: ['value', 'type'] } },
  migration: {
    outside: true,
    layers: { text: ['value', 'type'], contract: ['value', 'type'], client: ['value', 'type'] },
  },
  service: { outside: true, layers: { text: ['value', 'type'], contract: ['value', 'type'] } },
  cli: {
    outside: true,
    layers: {
      text: ['value', 'type', 'lazy'],
      contract: ['value', 'type', 'lazy'],
      client: ['value', 'type', 'lazy'],
      migration: ['value', 'type', 'lazy'],
      // Loaded only by `serve` and the embedded service. An import of a type does not exist after the build.
      service: ['lazy', 'type'],
    },
  },
};

function layerOf(path: string): string {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? '';
}

/** Imports of a file that are against the directions. */
function wrongImports({ path, text }: SourceFile): string[] {
  const layer = layerOf(path);
  const allowed = layers[layer];
  return importsOf(text)
    .filter(({ kind, from }) => {
      if (!from.startsWith('.')) return allowed?.outside !== true && !allowed?.outside.includes(from);
      if (from.endsWith('/package.json')) return path !== 'src/cli/context/version.ts';
      const target = layerOf(relative(root, resolve(root, dirname(path), from)).replaceAll('\\', '/'));
      return target !== layer && !allowed?.layers[target]?.includes(kind);
    })
    .map(({ kind, from }) => `${path}: ${kind} import of ${from}`);
}

test('src has these layers and no other folders', () => {
  expect(new Set(source.map(({ path }) => layerOf(path)))).toEqual(new Set(Object.keys(layers)));
});

test('imports between layers are in one direction', () => {
  expect(source.flatMap(wrongImports)).toEqual([]);
});

test.each([
  ['src/contract/x.ts', "import { readFileSync } from 'node:fs';"],
  ['src/contract/x.ts', "import * as z from 'zod';"],
  ['src/contract/x.ts', "import { createClient } from '../client/client.ts';"],
  ['src/client/x.ts', "import type { Parts } from '../service/context/context.ts';"],
  ['src/service/routes/x.ts', "import {\n  a,\n  type B,\n} from '../../client/client.ts';"],
  ['src/migration/x.ts', "import { run } from '../cli/run.ts';"],
  ['src/migration/x.ts', "const service = await import('../service/app.ts');"],
  ['src/cli/x.ts', "import { startService } from '../service/open-service.ts';"],
  ['src/cli/x.ts', "import '../service/open-service.ts';"],
  ['src/cli/x.ts', "import { type ServiceOptions } from '../service/open-service.ts';"],
  ['src/client/x.ts', "import test from '../../test/test-service.ts';"],
])('the check finds in %s the import of %s', (path, text) => {
  expect(wrongImports({ path, text: `/** A file. */\n${text}\n` })).toHaveLength(1);
});

test.each([
  ['src/cli/commands/x.ts', "import type { ServiceOptions } from '../../service/open-service.ts';"],
  ['src/cli/x.ts', "const { startService } = await import('../service/open-service.ts');"],
  ['src/service/routes/x.ts', "import { operations } from '../../contract/operations.ts';"],
  ['src/contract/x.ts', "import type { ErrorName } from './errors.ts';"],
  ['src/contract/x.ts', "import * as v from 'valibot';"],
])('the check allows in %s the import of %s', (path, text) => {
  expect(importsOf(text)).toHaveLength(1);
  expect(wrongImports({ path, text })).toEqual([]);
});

/** The files of `src` that a file imports, immediately or when it needs them. */
function targetsOf({ path, text }: SourceFile): string[] {
  return importsOf(text)
    .filter(({ from }) => from.startsWith('.') && from.endsWith('.ts'))
    .map(({ from }) => relative(root, resolve(root, dirname(path), from)).replaceAll('\\', '/'));
}

/** The nodes of a graph that are part of a cycle. */
function circlesOf(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
    [...(graph.get(from) ?? [])].some((next) => {
      if (next === goal) return true;
      if (seen.has(next)) return false;
      return reaches(next, goal, seen.add(next));
    });
  return [...graph.keys()].filter((node) => reaches(node, node));
}

/** The graph of imports between the nodes that `nameOf` gives to files. */
function graphOf(files: readonly SourceFile[], nameOf: (path: string) => string) {
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const from = nameOf(file.path);
    const targets = graph.get(from) ?? new Set();
    for (const target of targetsOf(file).map(nameOf)) if (target !== from) targets.add(target);
    graph.set(from, targets);
  }
  return graph;
}

test('neither files nor folders import each other in a cycle', () => {
  expect(circlesOf(graphOf(source, (path) => path))).toEqual([]);
  expect(circlesOf(graphOf(source, dirname))).toEqual([]);
});

test('the check finds a cycle of folders', () => {
  const files = [
    { path: 'src/client/a/x.ts', text: "import { y } from '../b/y.ts';\n" },
    { path: 'src/client/b/y.ts', text: "import type { Z } from '../c/z.ts';\n" },
    { path: 'src/client/c/z.ts', text: "const x = await import('../a/w.ts');\n" },
    { path: 'src/client/a/w.ts', text: '' },
  ];
  expect(circlesOf(graphOf(files, (path) => path))).toEqual([]);
  expect(circlesOf(graphOf(files, dirname))).toEqual(['src/client/a', 'src/client/b', 'src/client/c']);
});

test('a folder of src has at most 16 files', () => {
  const counts = new Map<string, number>();
  for (const { path } of source) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 16)).toEqual([]);
});

/** Files that consist of tables. To split them would only separate what belongs together. */
const tables = new Set([
  'src/contract/error-explanations.ts',
  'src/contract/errors.ts',
  'src/migration/rows/issues/issues.ts',
  'test/cli/transcripts/sessions.ts',
]);

test('no file of code has more than 250 lines, and no table more than 400', () => {
  const long = all.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  expect(long.length).toBeGreaterThan(100);
  expect(long.filter(({ path, lines }) => lines > (tables.has(path) ? 400 : 250))).toEqual([]);
});

const barrel = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;]*?\sfrom\s/m;

test('no file re-exports what another exports', () => {
  expect(barrel.test("export { a } from './a.ts';")).toBe(true);
  expect(barrel.test("export * from './a.ts';")).toBe(true);
  expect(all.filter(({ text }) => barrel.test(text)).map(({ path }) => path)).toEqual([]);
  expect(all.filter(({ path }) => /^index\./.test(basename(path))).map(({ path }) => path)).toEqual([]);
});

const vague = /(^|\/)(utils?|helpers?|common|shared|lib|misc)(\.[^/]*)?(\/|$)/;

test('no file or folder has a name without meaning', () => {
  expect(['src/utils/a.ts', 'test/helpers.ts', 'lib/a.ts'].every((path) => vague.test(path))).toBe(true);
  expect(all.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
});

test('files are named in kebab-case', () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.(ts|mjs|js)$/;
  expect(all.map(({ path }) => path).filter((path) => !kebab.test(basename(path)))).toEqual([]);
});

/** The words of a text, and the words in its identifiers: `settleRow` becomes "settle Row". */
const words = (text: string) => text.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ').replaceAll('_', ' ');

test.each(['const settleRow = 1;', 'type RowDoubt = 1;', "'nothing is told'", '/** Mends a row. */'])(
  'the check finds a former word in %s',
  (text) => {
    expect(words(text)).toMatch(formerWord);
  },
);

test('the source uses the words of the glossary', () => {
  const found = source.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const word = formerWord.exec(words(line))?.[0] ?? formerWord.exec(words(path))?.[0];
      return word === undefined ? [] : [`${path}:${index + 1}: ${word}`];
    }),
  );
  expect(found).toEqual([]);
});

const exported = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;

/** Names that several files export, each with its files. */
function namesWithSeveralMeanings(files: readonly SourceFile[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { path, text } of files) {
    for (const name of new Set([...text.matchAll(exported)].map(([, name = '']) => name))) {
      paths.set(name, [...(paths.get(name) ?? []), path]);
    }
  }
  return [...paths].flatMap(([name, places]) => (places.length > 1 ? [`${name}: ${places.join(', ')}`] : []));
}

test('no name is exported by two files', () => {
  const twice = ['a.ts', 'b.ts'].map((path) => ({ path, text: 'export type Fault = string;\n' }));
  expect(namesWithSeveralMeanings(twice)).toEqual(['Fault: a.ts, b.ts']);
  expect(namesWithSeveralMeanings(source)).toEqual([]);
});
