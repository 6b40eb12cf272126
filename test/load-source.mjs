import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import config from '../rolldown.config.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Builds a single module of `src` and loads it. The program is built as a whole, and exports none of its parts. The
 * result is placed where its packages are found.
 * @param {string} path below `src`
 * @param {Record<string, string>} [inPlace] texts that replace the modules whose paths end with the keys
 */
export async function loadSource(path, inPlace = {}) {
  const name = [path, ...Object.keys(inPlace)].join('-').replaceAll('/', '-');
  const dir = join(root, 'node_modules', '.cache', 'tenant-users', name);
  const output = { ...config.output, dir, entryFileNames: 'entry.cjs' };
  /** @param {string} id */
  const load = (id) => Object.entries(inPlace).find(([end]) => id.endsWith(end))?.[1];
  const plugins = [config.plugins, { name: 'in-place', load }];
  await build({ ...config, plugins, cwd: root, input: join(root, 'src', path), output, logLevel: 'silent' });
  return (await import(pathToFileURL(join(dir, 'entry.cjs')).href)).default;
}
