import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
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
      const job = ['--allow-passwordless', '--dry-run', '--json', '--job', join(directory, 'job')];
      const { stdout } = await run('import-hashes', file, '--recipe', recipe, ...job);
      const { issues, pending, skipped } = JSON.parse(stdout);
      return { issues, pending, skipped };
    };
    return { text, open, check };
  };
}

const ofAll = { issues: {}, pending: 6, skipped: 0 };

/** A question that follows, and what it says: an option, or lines of the recipe. */
interface Next {
  open: RegExp;
  options?: string[];
  decide?: (text: string) => string;
}

test.each<[what: string, header: string, cells: (at: number) => string[], columns: string[], next?: Next]>([
  ['hashes with 0x', 'secret', () => [`0x${md5.toUpperCase()}`], []],
  ['hashes before blanks', 'secret', () => [`${bcrypt}  `], []],
  [
    'salted digests',
    'secret,grain',
    (at) => [md5, salts[at] ?? ''],
    [],
    { open: /^grain may hold .* add grain to ignore:/, decide: (text) => `${text}ignore: [grain]\n` },
  ],
  [
    'telephone numbers and birthdays of two columns',
    'password,phone,tel,birthday,dob',
    (at) => [bcrypt, `0171 123456${at}`, `0172 123456${at}`, `1${at}.11.1990`, `1${at}.12.1991`],
    ['tel', 'dob'],
    { open: /run recipe make again with --region COUNTRY$/, options: ['--region', 'DE'] },
  ],
  ['two names of algorithms', 'password,algo,enc', () => [nested, 'x', 'md5sha256'], ['enc']],
  [
    'two HMAC keys',
    'password,hmackey,secretkey',
    (at) => [nested, `0a1b2c3d4e5f6071829${at}`, `1a1b2c3d4e5f6071829${at}`],
    ['hmackey'],
    {
      open: /: name it with algorithm: \{ value: NAME \}, /,
      decide: (text) =>
        text.replace('algorithm: { infer: true }', 'algorithm: { value: hmacsha256_base64_key }'),
    },
  ],
])(
  'who maps the column as a question about %s says is asked what follows from it',
  async (_, header, cells, columns, next) => {
    const make = await following(fileOf(header, cells));
    const first = await make([], 1);
    const lines = [...first.text.matchAll(/run recipe make again with (--map) ([^\s"]+)/g)];
    expect(lines).toHaveLength(Math.max(columns.length, 1));
    const options = lines.flatMap(([, option = '', map = ''], at) => [
      option,
      map.replace('COLUMN', columns[at] ?? ''),
    ]);
    const second = await make(options, 2);
    expect(second.open).toEqual(next ? [expect.stringMatching(next.open)] : []);
    const { decide = (text: string) => text, options: more = [] } = next ?? {};
    const last = await make([...options, ...more], 3);
    expect(await last.check(decide(last.text).replace(/^open:\n(?: {2}-.*\n)+/m, ''))).toEqual(ofAll);
  },
);

const devise =
  'id,email,encrypted_password,reset_password_token,remember_created_at,sign_in_count,confirmed_at,locked_at';
const ofDevise = (row: string) => row.replaceAll('#', bcrypt);

test.each<[what: string, lines: string[], open: RegExp[], values: Record<string, string>, skipped: number]>([
  [
    'a copied recipe with conditions',
    [
      `${devise},banned,status`,
      ofDevise('1,a@b.cn,#,,,0,2024-01-01,,1,active'),
      ofDevise('2,c@b.cn,#,,,0,2024-01-01,2024-02-01,0,active'),
      ofDevise('3,d@b.cn,#,,,0,2024-01-01,,0,on hold'),
      ofDevise('4,e@b.cn,#,,,0,2024-01-01,,0,active'),
    ],
    [/^banned may/, /^status may/],
    { 'OTHER VALUES': 'active', VALUES: "'on hold'" },
    3,
  ],
  [
    'a status whose words are known',
    ['login,email,active,status', 'ann,a@b.cn,1,1', 'bob,c@b.cn,0,1', 'cyd,d@b.cn,1,9'],
    [/^active may/, /^status may/],
    { 'OTHER VALUES': "'1'", VALUES: "'9'" },
    2,
  ],
  [
    'two open questions',
    ['login,email,status,deleted_at', 'ann,a@b.cn,A,', 'bob,c@b.cn,S,', 'cyd,d@b.cn,A,2024-01-01'],
    [/^status may/, /^deleted_at may/],
    { 'OTHER VALUES': 'A', VALUES: 'S' },
    2,
  ],
  [
    'an answer of two conditions',
    ['login,email,active,activated_at', 'ann,a@b.cn,1,2020-01-01', 'bob,c@b.cn,0,', 'cyd,d@b.cn,1,never'],
    [/^active may/, /^activated_at may/],
    {},
    2,
  ],
])('the lines of questions beside %s are a list of conditions', async (_, lines, asked, values, skipped) => {
  const make = await following(`${lines.join('\n')}\n`);
  const { open, text, check } = await make([], 1);
  expect(open).toEqual(asked.map((pattern) => expect.stringMatching(pattern)));
  const { open: _open, ...recipe } = parse(text);
  const added = open.map((question) => {
    // The last of several answers.
    const line =
      /: add (?:.* or )?(.*?)(?: \([^)]*\))? to skip: \{ where: \[CONDITIONS\] \}/.exec(question)?.[1] ?? '';
    return Object.entries(values).reduce((done, [word, value]) => done.replace(word, value), line);
  });
  const where = [recipe.skip?.where ?? [], parse(`[${added.join(', ')}]`)].flat();
  const result = await check(stringify({ ...recipe, skip: { where } }));
  expect(result).toEqual({ issues: {}, pending: lines.length - 1 - skipped, skipped });
});
