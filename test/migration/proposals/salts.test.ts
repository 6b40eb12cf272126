import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { making } from './making.ts';

const { md5, bcrypt } = goodHashes;
const texts = ['q0Xy0z', '7f20ae', 'b01c5d', '90ab3e', 'kQzWxv', 'q5Xy35z'];
const fileOf = (column: string, values: readonly string[] = texts, hash = md5) =>
  [
    `username,email,password,${column}`,
    ...values.map((text, at) => `u${at},u${at}@b.cn,${hash},${text}`),
  ].join('\n');
const openOf = (column: string) =>
  expect.stringMatching(`^${column} may hold salts .*foreign: digest with a salt .*add ${column} to ignore:`);

test.each(['encrypt', 'rand', 'random', 'key', 'code', 'verify', 'x', '随机'])(
  'short random texts in the column %s beside digests may be salts',
  async (column) => {
    const { open, recipe } = await making(fileOf(column));
    expect(open).toEqual([openOf(column)]);
    expect(recipe.password).toEqual({ column: 'password', algorithm: { infer: true } });
  },
);

test.each([
  ['beside bcrypt', texts, bcrypt],
  ['with numbers at their end', [...'123456'].map((digit) => `emp00${digit}`), md5],
  ['that are numbers', [...'123456'].map((digit) => `10000${digit}`), md5],
  ['that are words', ['Berlin', 'Paris', 'Rome', 'Madrid', 'Oslo'], md5],
  ['that several people have', ['q0Xy0z', 'q0Xy0z', 'q0Xy0z', 'b01c5d', '7f20ae'], md5],
])('texts %s are no salts', async (_, values, hash) => {
  expect((await making(fileOf('x', values, hash))).open.join()).not.toContain('salt');
});

test('a person says whether they are salts', async () => {
  const no = await making(fileOf('rand'), { 'salt rand': ['no'] });
  expect(no).toMatchObject({ open: [], recipe: { ignore: ['rand'] } });
  const withStatus = fileOf(
    'rand,is_banned',
    texts.map((text, at) => `${text},x${at}`),
  );
  const both = await making(withStatus, { 'salt rand': ['no'], 'status is_banned': [' '] });
  expect(both).toMatchObject({ open: [], recipe: { ignore: ['rand', 'is_banned'] } });
  const yes = await making(fileOf('rand'), { 'salt rand': ['yes'], foreign: ['passwordless'] });
  expect(yes).toMatchObject({
    open: [],
    recipe: {
      password: {
        algorithm: { foreign: 'digest with a salt in the column rand' },
        foreign: 'passwordless',
      },
    },
  });
  expect((await making(fileOf('rand'), { 'salt rand': [''] })).open).toEqual([openOf('rand')]);
});

test.each([
  ['盐值', /^the password of 6 users cannot be kept \(of 6, for the salt in 盐值\), .*: add foreign:/],
  ['验证码', /^验证码 may hold salts .* add 验证码 to ignore: of the recipe$/],
])('a copy of a built-in recipe asks about the salts in %s', async (column, open) => {
  const content = fileOf(column).replace(/^.*/, `用户名,邮箱,密码,${column}`);
  const made = await making(content);
  expect([made.built_in, made.open]).toEqual(['chinese', [expect.stringMatching(open)]]);
  expect((await making(content.replaceAll(md5, bcrypt))).open).toEqual([]);
});
