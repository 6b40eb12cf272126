import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

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
const all = [...source, ...['test', 'bin', 'fixtures'].flatMap(filesBelow)];

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

/** What each room may import: other rooms, and whether anything from outside the project. */
const rooms: Record<string, { outside: boolean; rooms: Record<string, ImportKind[]> }> = {
  contract: { outside: false, rooms: {} },
  client: { outside: true, rooms: { contract: ['value', 'type'] } },
  migration: { outside: true, rooms: { contract: ['value', 'type'], client: ['value', 'type'] } },
  service: { outside: true, rooms: { contract: ['value', 'type'] } },
  cli: {
    outside: true,
    rooms: {
      contract: ['value', 'type', 'lazy'],
      client: ['value', 'type', 'lazy'],
      migration: ['value', 'type', 'lazy'],
      // Loaded only by `serve` and the embedded mode; a type is no import once it is built.
      service: ['lazy', 'type'],
    },
  },
};

function roomOf(path: string): string {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? '';
}

/** Imports of a file that go against the directions. */
function wrongImports({ path, text }: SourceFile): string[] {
  const room = roomOf(path);
  const allowed = rooms[room];
  return importsOf(text)
    .filter(({ kind, from }) => {
      if (!from.startsWith('.')) return !allowed?.outside;
      if (from.endsWith('/package.json')) return path !== 'src/cli/version.ts';
      const target = roomOf(relative(root, resolve(root, dirname(path), from)).replaceAll('\\', '/'));
      return target !== room && !allowed?.rooms[target]?.includes(kind);
    })
    .map(({ kind, from }) => `${path}: ${kind} import of ${from}`);
}

test('src has the five rooms and nothing beside them', () => {
  expect(new Set(source.map(({ path }) => roomOf(path)))).toEqual(new Set(Object.keys(rooms)));
});

test('imports go in the directions of the house', () => {
  expect(source.flatMap(wrongImports)).toEqual([]);
});

test.each([
  ['src/contract/x.ts', "import { readFileSync } from 'node:fs';"],
  ['src/contract/x.ts', "import { createClient } from '../client/client.ts';"],
  ['src/client/x.ts', "import type { Parts } from '../service/parts.ts';"],
  ['src/service/routes/x.ts', "import {\n  a,\n  type B,\n} from '../../client/client.ts';"],
  ['src/migration/x.ts', "import { run } from '../cli/run.ts';"],
  ['src/migration/x.ts', "const service = await import('../service/app.ts');"],
  ['src/cli/x.ts', "import { startService } from '../service/start-service.ts';"],
  ['src/cli/x.ts', "import '../service/start-service.ts';"],
  ['src/cli/x.ts', "import { type ServiceOptions } from '../service/start-service.ts';"],
  ['src/client/x.ts', "import test from '../../test/test-service.ts';"],
])('in %s it would find %s', (path, text) => {
  expect(wrongImports({ path, text: `/** A file. */\n${text}\n` })).toHaveLength(1);
});

test.each([
  ['src/cli/commands/x.ts', "import type { ServiceOptions } from '../../service/start-service.ts';"],
  ['src/cli/x.ts', "const { startService } = await import('../service/start-service.ts');"],
  ['src/service/routes/x.ts', "import { operations } from '../../contract/operations.ts';"],
  ['src/contract/x.ts', "import type { ErrorName } from './errors.ts';"],
])('in %s it lets %s pass', (path, text) => {
  expect(importsOf(text)).toHaveLength(1);
  expect(wrongImports({ path, text })).toEqual([]);
});

test('no file has more than 250 lines', () => {
  const long = all.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }));
  expect(long.length).toBeGreaterThan(100);
  expect(long.filter(({ lines }) => lines > 250)).toEqual([]);
});

const barrel = /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;]*?\sfrom\s/m;

test('no file passes on what another exports', () => {
  expect(barrel.test("export { a } from './a.ts';")).toBe(true);
  expect(barrel.test("export * from './a.ts';")).toBe(true);
  expect(all.filter(({ text }) => barrel.test(text)).map(({ path }) => path)).toEqual([]);
  expect(all.filter(({ path }) => /^index\./.test(basename(path))).map(({ path }) => path)).toEqual([]);
});

const vague = /(^|\/)(utils?|helpers?|common|shared|lib|misc)(\.[^/]*)?(\/|$)/;

test('no file or folder has a name that says nothing', () => {
  expect(['src/utils/a.ts', 'test/helpers.ts', 'lib/a.ts'].every((path) => vague.test(path))).toBe(true);
  expect(all.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
});

test('files are named in kebab-case', () => {
  const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.(ts|mjs|js)$/;
  expect(all.map(({ path }) => path).filter((path) => !kebab.test(basename(path)))).toEqual([]);
});
