import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig } from 'rolldown';
import manifest from './package.json' with { type: 'json' };
import { chunks } from './src/bundle/chunks.mjs';
import { fastifyAlone } from './src/bundle/fastify-alone.mjs';
import { lazyModules } from './src/bundle/lazy-modules.mjs';
import { manPage } from './src/bundle/man-page.mjs';
import { smallAsserts } from './src/bundle/small-asserts.mjs';
import { undiciInParts } from './src/bundle/undici-in-parts.mjs';

/** @import { Plugin } from 'rolldown' */

const parts = chunks();

/**
 * Builds the entry, and chunks that a command loads when it runs. Packages of `dependencies` stay external (the service's, and
 * those with native parts); packages of `devDependencies` are built in.
 */
export default defineConfig({
  input: {
    'cli/main': 'src/cli/main.ts',
    'threads/commit': 'src/service/storage/engine/sqlite/commit-worker.ts',
  },
  platform: 'node',
  external: Object.keys(manifest.dependencies).flatMap((name) => [name, new RegExp(`^${name}/`)]),
  // The default form of jsonc-parser requires its parts at run time, which a bundler cannot follow.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  plugins: [
    textFiles(),
    undiciInParts(),
    commanderAlone(),
    fastifyAlone(),
    smallAsserts(),
    builtInPackages(),
    parts.plugin,
    lazyModules(),
    plainText(),
    helpText(),
  ],
  output: {
    dir: 'dist',
    // For a program of ES modules, Node spends half of the loading time in its ES module loader.
    format: 'cjs',
    // `import()` would start the ES module loader for external packages.
    dynamicImportInCjs: false,
    cleanDir: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    codeSplitting: { groups: parts.groups },
    // Function names are kept because they appear in the stack traces that people report.
    minify: {
      mangle: { keepNames: { function: true, class: true } },
      compress: true,
      codegen: { removeWhitespace: true },
    },
  },
});

/**
 * Builds in text files that are imported as `import('./some.yaml?raw')`.
 * @returns {Plugin}
 */
function textFiles() {
  const suffix = '?raw';
  return {
    name: 'text-files',
    resolveId(source, importer = '') {
      return source.endsWith(suffix) ? join(dirname(importer), source) : null;
    },
    load(id) {
      if (!id.endsWith(suffix)) return null;
      return `export default ${JSON.stringify(readFileSync(id.slice(0, -suffix.length), 'utf8'))};`;
    },
  };
}

/**
 * commander loads `child_process` for subcommands that are separate programs, which do not exist here. Loading it takes 2.5 ms of
 * the 44 ms that `--help` computes (fastest of 40 runs each).
 * @returns {Plugin}
 */
function commanderAlone() {
  const statement = "const childProcess = require('node:child_process');";
  return {
    name: 'commander-alone',
    transform(code, id) {
      if (!id.endsWith('/commander/lib/command.js')) return null;
      if (!code.includes(statement)) throw new Error('commander loads child_process in another way now');
      return code.replace(statement, '');
    },
  };
}

/**
 * Escapes all non-ASCII characters: a file with characters beyond Latin-1 takes twice the memory, and is slow to read. They occur
 * in strings, templates and patterns only, where an escape means the same.
 * @returns {Plugin}
 */
function plainText() {
  /** @param {string} letter */
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'plain-text',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if ('code' in chunk) chunk.code = chunk.code.replace(/[^\0-\x7f]/g, escaped);
      }
    },
  };
}

/**
 * Writes the help as printed without a terminal, for `bin/tenant-users.js`, because building the commands takes most of the time of
 * `--help`. Also writes the manual page.
 * @returns {Plugin}
 */
function helpText() {
  return {
    name: 'help-text',
    writeBundle({ dir = '' }) {
      const main = resolve(dir, 'cli/main.cjs');
      if (!existsSync(main)) return;
      const script = 'require(process.argv[1]).main()';
      const env = { PATH: process.env.PATH ?? '' };
      const printed = (/** @type {string[]} */ ...args) =>
        execFileSync(process.execPath, ['-e', script, main, ...args], { env, encoding: 'utf8' });
      writeFileSync(join(dir, 'help.txt'), printed('--help'));
      writeFileSync(join(dir, 'tenant-users.1'), manPage(JSON.parse(printed('schema', '--tree'))));
    },
  };
}

/**
 * Writes the licenses of the built-in packages to one file, and a list of these packages for audits, which would not find them
 * among the development dependencies.
 * @returns {Plugin}
 */
function builtInPackages() {
  return {
    name: 'built-in-packages',
    generateBundle(_options, bundle) {
      const roots = new Set();
      for (const chunk of Object.values(bundle)) {
        for (const id of 'moduleIds' in chunk ? chunk.moduleIds : []) {
          const root = id.includes('node_modules') && packageOf(id);
          if (root) roots.add(root);
        }
      }
      const packages = [...roots].sort().map(readPackage);
      const texts = packages.map(
        ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`,
      );
      const list = JSON.stringify(billOfMaterials(packages), null, 2);
      this.emitFile({
        type: 'asset',
        fileName: 'licenses.txt',
        source: texts.join(`\n${'-'.repeat(80)}\n\n`),
      });
      this.emitFile({ type: 'asset', fileName: 'sbom.cdx.json', source: `${list}\n` });
    },
  };
}

/** @typedef {{ path: string, name: string, version: string, license: string, text: string }} Package */

/**
 * @param {string} root
 * @returns {Package}
 */
function readPackage(root) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = ['LICENSE', 'LICENSE.md', 'license', 'LICENSE.txt', 'LICENCE'].find((known) =>
    existsSync(join(root, known)),
  );
  const text = file ? readFileSync(join(root, file), 'utf8').trim() : '';
  const path = relative(import.meta.dirname, root).replaceAll('\\', '/');
  return { path, name, version, license, text };
}

/**
 * Returns the built-in packages as a CycloneDX bill of materials. It has neither a timestamp nor a serial number, so that two
 * builds of one tree are identical. External packages are not listed, because the installer chooses their versions.
 * @param {readonly Package[]} packages
 */
function billOfMaterials(packages) {
  /** @param {string} name @param {string} version */
  const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const self = purl(manifest.name, manifest.version);
  const components = packages.map(({ path, name, version, license }) => ({
    type: 'library',
    'bom-ref': `${purl(name, version)}#${path}`,
    name,
    version,
    scope: 'required',
    licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { id: license } }],
    purl: purl(name, version),
    properties: [{ name: 'cdx:npm:package:path', value: path }],
  }));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': self,
        name: manifest.name,
        version: manifest.version,
        licenses: [{ license: { id: manifest.license } }],
        purl: self,
      },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map((component) => component['bom-ref']) }],
  };
}

/**
 * @param {string} id
 * @returns {string | undefined} directory of the package that a module belongs to
 */
function packageOf(id) {
  for (let at = dirname(id); at.includes('node_modules'); at = dirname(at)) {
    const file = join(at, 'package.json');
    if (!existsSync(file)) continue;
    // A directory inside a package may have its own package.json with a name, but without a version.
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    if (name && version) return at;
  }
  return undefined;
}
