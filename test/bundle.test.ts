import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type OutputChunk } from 'rolldown';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import config from '../rolldown.config.mjs';
import { shippedVulnerabilities } from './shipped-vulnerabilities.mjs';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const lock: { packages: Record<string, { version?: string; dev?: boolean }> } = JSON.parse(
  read('package-lock.json'),
);

interface Component {
  name: string;
  version: string;
  purl: string;
  properties: { value: string }[];
}

const sbom: { components: Component[] } = JSON.parse(read('dist/sbom.cdx.json'));
const pathOf = ({ properties }: Component): string => properties[0]?.value ?? '';

/** This package only re-exports what other packages export: it is loaded, and none of its lines remains. */
const withoutLines = ['node_modules/@inquirer/prompts'];

/** Directories of the packages whose text is in the bundle, by its source maps. */
async function bundledPackages(): Promise<string[]> {
  const output = { ...config.output, sourcemap: true };
  const { output: files } = await build({ ...config, cwd: root, output, write: false, logLevel: 'silent' });
  const chunks = files.filter((file): file is OutputChunk => file.type === 'chunk');
  const sources = chunks.flatMap(({ fileName, map }) =>
    (map?.sources ?? []).map((source) =>
      relative(root, resolve(root, 'dist', dirname(fileName), source)).replaceAll('\\', '/'),
    ),
  );
  const packages = sources.flatMap((source) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source) ?? []);
  return [...new Set(packages)].sort();
}

test('the list of built-in packages has exactly the packages in the bundle', {
  timeout: 60_000,
}, async () => {
  const bundled = await bundledPackages();
  expect(bundled.length).toBeGreaterThan(30);
  expect(sbom.components.map(pathOf).sort()).toEqual([...bundled, ...withoutLines].sort());
});

test('the list has the versions of the lock file, and every package has its licence in the other file', () => {
  const licences = read('dist/licenses.txt');
  for (const component of sbom.components) {
    const { name, version, purl } = component;
    expect(version).toBe(lock.packages[pathOf(component)]?.version);
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    expect(licences).toContain(`${name} ${version} (`);
  }
});

test('no package is both built in and installed', () => {
  const names = sbom.components.map(({ name }) => name);
  expect(names.filter((name) => Object.hasOwn(manifest.dependencies, name))).toEqual([]);
});

test('an audit reports what ships, built in or installed, and leaves out packages that only tests need', () => {
  const [component] = sbom.components;
  const [builtIn, installed, tool] = [
    component ? pathOf(component) : '',
    'node_modules/pg',
    'node_modules/vitest',
  ];
  const advisory = { title: 'a fault', url: 'https://example.com/1', severity: 'high' };
  const report = {
    vulnerabilities: {
      a: { nodes: [builtIn], via: [advisory] },
      pg: { nodes: [installed], via: [advisory, 'a'] },
      vitest: { nodes: [tool], via: [advisory] },
    },
  };
  const found = shippedVulnerabilities(report, lock, sbom);
  expect(found.map(({ path }) => path)).toEqual([builtIn, installed]);
  expect(shippedVulnerabilities({ vulnerabilities: {} }, lock, sbom)).toEqual([]);
});
