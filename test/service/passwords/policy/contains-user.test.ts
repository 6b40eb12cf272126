import fc from 'fast-check';
import { expect, test } from 'vitest';
import { containsUser, type PasswordOwner } from '../../../../src/service/passwords/policy/contains-user.ts';

test.each<[string, PasswordOwner, boolean]>([
  ['x-Annabel-26', { user_name: 'annabel' }, true],
  ['x-annabe-26', { user_name: 'annabel' }, false],
  ['Bo-is-in-it-1', { user_name: 'bo' }, false],
  ['Bob-is-in-it-1', { user_name: 'bob' }, true],
  ['x15200000000A', { mobile: '+86-15200000000' }, true],
  ['x8615200000000A', { mobile: '+86-15200000000' }, true],
  ['x15200000000A', { mobile: '15200000000' }, true],
  ['x8615200000000A', { mobile: '15200000000' }, true],
  ['x1520000000A', { mobile: '+86-15200000000' }, false],
  ['x51234567A', { mobile: '852-51234567' }, true],
  ['My.Name-2026', { email: 'my.name@example.com' }, true],
  ['Example-2026', { email: 'my.name@example.com' }, false],
  ['me-2026-Xy', { email: 'me@example.com' }, false],
  ['x-Annabel-26', { user_name: 'ＡＮＮＡＢＥＬ' }, true],
  ['x-strasse-26', { user_name: 'Straße' }, true],
  ['x-Annabel-26', { email: 'ａｎｎａｂｅｌ@example.com' }, true],
  ['x-Annabel-26', { name: 'Ａｎｎａｂｅｌ' }, true],
  ['Gf4-kupz', { user_name: undefined, email: undefined, mobile: undefined, name: undefined }, false],
])('%j of %j: %j', async (password, owner, contained) => {
  expect(await containsUser(password, owner, '86')).toBe(contained);
});

test.each<[name: string, contained: string[], free: string[]]>([
  ['张三', ['Zhangsan-1', 'x-ZHANGSAN'], ['zs-2026-Xy', 'zhang-2026', 'san-zhang-1', 'zhangshan-1']],
  [
    '单雄信',
    ['Shanxiongxin1', 'Danxiongxin1', 'chanXiongshen1', 'sxx-2026-Q', 'dxx-2026-Q'],
    ['xiongxin-1A'],
  ],
  ['曾国藩', ['Zengguofan1', 'Cengguofan1', 'zgf-2026-Q', 'CGF-2026-q'], ['guofan-1A']],
  ['重耳', ['Zhonger-26', 'chonger-26A'], []],
  ['欧阳娜娜', ['Ouyangnana1', 'ouyangNuona1', 'oynn-2026-Q'], ['ouyang-2026A']],
  ['万俟卨', ['Moqixie-26', 'Wansixie-26'], []],
  ['尉迟恭', ['Yuchigong-1', 'Weichigong-1'], []],
  ['仇英', ['Qiuying-26', 'Chouying-26'], []],
  ['解晓东', ['Xiexiaodong1', 'Jiexiaodong1'], []],
  ['吕布', ['Lvbu-2026', 'Lubu-2026', 'Lyubu-2026'], []],
  ['买买提·吐尔逊', ['Maimaitituerxun1', 'maimaiti.tuerxunA1', 'mmttex-26A'], ['x-Maimaiti.1']],
  ['Zhang San', ['Zhangsan-1', 'zhang.san-1A', 'Zhang_San_1'], ['zhang-2026-A']],
  ["José O'Neill", ['joseoneill-1A', "Jose-O'Neill1", 'jon-2026-Q'], ['jose-2026-Q']],
  ['Anna Bea Lee', ['AnnaBeaLee1', 'abl-2026-Q'], ['anna-2026-Q']],
  ['Peter 张三丰', ['Zhangsanfeng1', 'Peter-2026', 'zsf-2026-Q', 'pzsf-2026-Q'], ['zhangsan-26A']],
  ['Эд', [], ['Gf4-kupz']],
  ['Эдуард', [], ['Gf4---kupz', 'Gf4-_.kupz', '....Gf4kupz']],
  ['홍길동', [], ['Gf4---kupz', '___Gf4kupz']],
  ['やまだ', [], ['Gf4---kupz']],
  ['Bo Эдуард', [], ['Bo--Gf4kupz']],
  ['Y. Z.', [], ['Y.Z.Gf4kupz']],
  ['R2D2', ['x-r2d2-26A'], ['r--d--Gf4kupz']],
])('the name %s is found in %j and not in %j', async (name, contained, free) => {
  for (const password of contained)
    expect([password, await containsUser(password, { name }, '86')]).toEqual([password, true]);
  for (const password of free)
    expect([password, await containsUser(password, { name }, '86')]).toEqual([password, false]);
});

// To try every combination of readings would never end.
test('the combinations of readings of a long name are not tried one by one', async () => {
  const name = '单'.repeat(100);
  expect(await containsUser('dan-shan-chan-Dan1', { name }, '86')).toBe(false);
});

const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
const word = fc
  .array(fc.constantFrom(...letters), { minLength: 3, maxLength: 12 })
  .map((all) => all.join(''));
const around = fc.string({ maxLength: 6 });

const owners: Record<string, (needle: string) => PasswordOwner> = {
  user_name: (needle) => ({ user_name: needle }),
  email: (needle) => ({ email: `${needle}@example.com` }),
  name: (needle) => ({ name: needle }),
};

test.each(Object.entries(owners))(
  '%s is found in any case, whatever characters surround it',
  async (_field, ownerOf) => {
    await fc.assert(
      fc.asyncProperty(word, around, around, fc.boolean(), async (needle, left, right, isUpper) => {
        const password = left + (isUpper ? needle.toUpperCase() : needle) + right;
        expect(await containsUser(password, ownerOf(needle), '86')).toBe(true);
      }),
    );
  },
);

const syllables: Record<string, string[]> = {
  王: ['wang'],
  单: ['dan', 'shan', 'chan'],
  曾: ['zeng', 'ceng'],
  乐: ['le', 'yue'],
  吕: ['lv', 'lu', 'lyu'],
  行: ['xing', 'hang'],
};
const syllable = fc
  .constantFrom(...Object.keys(syllables))
  .chain((character) => fc.tuple(fc.constant(character), fc.constantFrom(...(syllables[character] ?? []))));

test('a Chinese name is found in every combination of its readings, whatever characters surround it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(syllable, { minLength: 2, maxLength: 5 }),
      around,
      around,
      async (all, left, right) => {
        const name = all.map(([character]) => character).join('');
        const password = left + all.map(([, reading]) => reading).join('') + right;
        expect(await containsUser(password, { name }, '86')).toBe(true);
      },
    ),
  );
});
