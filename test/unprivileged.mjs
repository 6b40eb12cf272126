import { execFileSync } from 'node:child_process';

/**
 * The user and group numbers of `nobody`, for servers that refuse to run as root; `undefined` if the caller is not
 * root.
 */
export function unprivileged() {
  if (process.getuid?.() !== 0) return undefined;
  const numbers = (/** @type {string} */ flag) =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: numbers('-u'), gid: numbers('-g') };
}
