import { existsSync } from 'node:fs';

/**
 * The built entry of a thread. `undefined` where there is none: the program runs from its sources, which Node 20 cannot load
 * in a thread, and the caller's own thread does the work.
 */
export function threadFile(name: 'commit'): URL | undefined {
  const file = new URL(`../threads/${name}.cjs`, import.meta.url);
  return existsSync(file) ? file : undefined;
}
