import { readFileSync, statfsSync } from 'node:fs';

const place = '/dev/shm';
const enough = 2 ** 30;

/**
 * A directory in memory for the temporary files of tests; `undefined` if there is none, if it is too small, or if
 * programs cannot be started in it. Journals and databases wait for the disk at each commit, and no test needs data to
 * survive a loss of power.
 * @returns {string | undefined}
 */
export function memoryDirectory() {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [, , , options = 'noexec'] = mounted.find((line) => line.split(' ')[1] === place)?.split(' ') ?? [];
    const { bavail, bsize } = statfsSync(place);
    return options.split(',').includes('noexec') || bavail * bsize < enough ? undefined : place;
  } catch {
    return undefined;
  }
}
