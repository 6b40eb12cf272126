import { openTenant } from './open-tenant.mjs';
import { bin, here, runAndRead, runToEnd } from './processes.mjs';
import { comparison } from './rows.mjs';

/** @import { Options } from './options.mjs' */

/**
 * The speed of `list --all -o jsonl`, compared with a bare loop of GETs and JSON.parse over the same pages, and its
 * memory with a million users, compared with ten thousand; the same for `list --search`, which reads as many.
 * @param {Options} options
 */
export async function* measure(options) {
  const sizes = { few: 10_000, many: options.users };
  const few = await listing(options, sizes.few);
  const many = await listing(options, sizes.many);
  const [large, small] = [sizes.many, sizes.few].map((users) => users.toLocaleString('en'));
  yield comparison(
    `list --all -o jsonl of ${large} users, against a bare loop`,
    'users/s',
    many.listed,
    many.bare,
    {
      atLeast: 0.8,
    },
  );
  const what = `memory of list --all, ${large} users, against ${small}`;
  yield comparison(what, 'MB', many.peaks, few.peaks, { atMost: 1.3 });
  const search = `list --search in ${large} users`;
  yield comparison(`${search}, against list --all`, 'users/s', many.searched, many.listed, { atLeast: 0.6 });
  yield comparison(`memory of ${search}, against ${small}`, 'MB', many.searchPeaks, few.searchPeaks, {
    atMost: 1.3,
  });
  yield comparison(
    `first hit of ${search}, on page 0, against ${small}`,
    's',
    many.firstHits,
    few.firstHits,
    {
      atMost: 1.5,
    },
  );
}

/**
 * @param {Options} options
 * @param {number} users
 */
async function listing(options, users) {
  const { baseUrl, end } = await openTenant(options, { users, connections: 1 });
  /** @type {Record<'bare' | 'listed' | 'peaks' | 'searched' | 'searchPeaks' | 'firstHits', number[]>} */
  const found = { bare: [], listed: [], peaks: [], searched: [], searchPeaks: [], firstHits: [] };
  const args = [bin, 'list', '-o', 'jsonl', '-q', '--base-url', baseUrl];
  for (let round = 1; round <= options.rounds; round += 1) {
    options.say(`list: round ${round} of ${options.rounds}`);
    const loop = await runToEnd([here('bare-list.mjs'), baseUrl]);
    const list = await runAndRead([...args, '--all'], countLines);
    if (list.stdout !== users || Number(loop.stdout) !== users) {
      throw new Error(`${list.stdout} users came, and ${loop.stdout} to the bare loop, instead of ${users}`);
    }
    found.bare.push(users / loop.seconds);
    found.listed.push(users / list.seconds);
    found.peaks.push(list.peak);
    const began = performance.now();
    const search = await runAndRead([...args, '--search', 'user-7@'], (output) => {
      output.once('data', () => found.firstHits.push((performance.now() - began) / 1000));
      return countLines(output);
    });
    if (search.stdout !== 1) throw new Error(`${search.stdout} users were found instead of one`);
    found.searched.push(users / search.seconds);
    found.searchPeaks.push(search.peak);
  }
  await end();
  return found;
}

/** @param {import('node:stream').Readable} output */
async function countLines(output) {
  let lines = 0;
  for await (const piece of output) {
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
  }
  return lines;
}
