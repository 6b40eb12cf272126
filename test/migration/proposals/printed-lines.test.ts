import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutService } from '../../world.ts';
import { goodHashes } from '../hashes.ts';

const { bcrypt, md5, md5_sha256: nested } = goodHashes;
const salts = ['q0Xy0z', '7f20ae', 'b01c5d', '90ab3e', 'kQzWxv', 'q5Xy35'];

/** A file with this header, and six rows with a name, an e-mail address and these cells. */
const fileOf = (header: string, cells: (at: number) => readonly string[]) =>
  [
    `login,email,${header}`,
    ...salts.map((_, at) => [`u${at}`, `u${at}@b.cn`, ...cells(at)].join(',')),
    '',
  ].join('\n');

/** A command line in a directory with this file, which makes a recipe by the options that its open questions name. */
async function following(content: string) {
  const { directory, run } = await withoutService();
  const file = join(directory, 'old.csv');
  await writeFile(file, content);
  return async (options: readonly string[], number: number) => {
    const recipe = join(directory, `${number}.yaml`);
    const made = await run('recipe', 'make', file, ...options, '--to', recipe);
    expect(made).toMatchObject({ exitCode: 0 });
    const text = await readFile(recipe, 'utf8');
    const open = [...text.matchAll(/^ {2}- (".*")$/gm)].map(([, line = '""']): string => JSON.parse(line));
    const check = async (decided: string) => {
      await writeFile(recipe, decided);
      expect(await run('recipe', 'check', recipe, file)).toMatchObject({ exitCode: 0 });
      const job = ['--dry-run', '--json', '--job', join(directory, 'job')];
      const { stdout } = await run('import-hashes', file, '--recipe', recipe, ...job);
      const { issues, pending, skipped } = JSON.parse(stdout);
      return { issues, pending, skipped };
    };
    return { text, open, check };
  };
}

const ofAll = { issues: {}, pending: 6, skipped: 0 };

test.each<[what: string, header: string, cells: (at: number) => string[], column: string[], open: RegExp[]]>([
  ['hashes with 0x', 'secret', () => [`0x${md5.toUpperCase()}`], [], []],
  ['hashes before blanks', 'secret', () => [`${bcrypt}  `], [], []],
  ['salted digests', 'secret,grain', (at) => [md5, salts[at] ?? ''], [], [/^grain may hold salts/]],
  [
    'telephone numbers and birthdays of two columns',
    'password,phone,tel,birthday,dob',
    (at) => [bcrypt, `0171 123456${at}`, `0172 123456${at}`, `1${at}.11.1990`, `1${at}.12.1991`],
    ['tel', 'dob'],
    [/--region/],
  ],
  ['two names of algorithms', 'password,algo,enc', () => [nested, 'x', 'md5sha256'], ['enc'], []],
  [
    'two HMAC keys',
    'password,hmackey,secretkey',
    (at) => [nested, `key ${at} of the old system`, `key ${at} of another system`],
    ['hmackey'],
    [/^hashes of password can be of several algorithms/],
  ],
])(
  'who maps the column as a question about %s says is asked what follows from it',
  async (_, header, cells, columns, asked) => {
    const make = await following(fileOf(header, cells));
    const first = await make([], 1);
    const lines = [...first.text.matchAll(/run recipe make again with (--map) ([^\s"]+)/g)];
    expect(lines).toHaveLength(Math.max(columns.length, 1));
    const options = lines.flatMap(([, option = '', map = ''], at) => [
      option,
      map.replace('COLUMN', columns[at] ?? ''),
    ]);
    const second = await make(options, 2);
    expect(second.open).toEqual(asked.map((pattern) => expect.stringMatching(pattern)));
    if (asked.length === 0) expect(await second.check(second.text)).toEqual(ofAll);
  },
);
