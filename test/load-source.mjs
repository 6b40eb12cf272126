import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';
import config from '../rolldown.config.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/**
 * Builds a module of `src` by itself, where its packages are found, and loads it: the program is built as a whole, and
 * has no door for one of its parts.
 * @param {string} path below `src`
 */
export async function loadSource(path) {
  const dir = join(root, 'node_modules', '.cache', 'tenant-users', path.replaceAll('/', '-'));
  const output = { ...config.output, dir, entryFileNames: 'entry.cjs' };
  await build({ ...config, cwd: root, input: join(root, 'src', path), output, logLevel: 'silent' });
  return (await import(pathToFileURL(join(dir, 'entry.cjs')).href)).default;
}
