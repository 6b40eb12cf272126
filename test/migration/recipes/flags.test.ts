import { expect, test } from 'vitest';
import { builtInRecipe } from '../../../src/migration/recipes/built-in.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

test('a flag is found in any sum of flags', async () => {
  const sums = {
    512: 0,
    514: 1,
    546: 1,
    66048: 0,
    66050: 1,
    1049090: 1,
    4260352: 0,
    8389122: 1,
    590338: 1,
    '0x202': 1,
  };
  const entries = Object.keys(sums).map(
    (sum) => `dn: cn=${sum}\nobjectClass: user\nsAMAccountName: u${sum}\ncn: x\nuserAccountControl: ${sum}\n`,
  );
  const { sent } = await runImport(entries.join('\n'), {
    recipe: await builtInRecipe('ldap'),
    allowPasswordless: true,
    concurrency: 1,
  });
  const enabled = Object.entries(sums).flatMap(([sum, isOut]) => (isOut ? [] : [`u${sum}`]));
  expect(sent.map((user) => user.user_name)).toEqual(enabled);
});

test.each([...['NORMAL_ACCOUNT', 'ACCOUNTDISABLE, NORMAL_ACCOUNT', '66,050', '514,00', '1e3', '5 14']])(
  'of %s it is not guessed which flags it has',
  async (value) => {
    const content = `DistinguishedName,SamAccountName,GivenName,Surname,userAccountControl\n"CN=Ann,DC=x",ann,Ann,Lee,"${value}"\n`;
    const { sent, failures } = await runImport(content, { allowPasswordless: true });
    expect([sent, failures.map(({ code }) => code)]).toEqual([[], ['VALUE_UNKNOWN']]);
  },
);

test('a condition on a flag does not hold without a value, nor with a text that the recipe names', async () => {
  const recipe = await recipeOf(
    'from: csv\nfields: { user_name: { column: login } }\npassword: { column: h, algorithm: { infer: true } }\nskip: { where: [{ column: flags, bit: 2 }, { column: flags, in: [gone], known: [none, 1, 2] }] }\n',
  );
  const rows = ['', 'NULL', 'none', '1', '2', 'gone'].map((flags, at) => `u${at},${flags},${goodHashes.md5}`);
  const { sent } = await runImport(`login,flags,h\n${rows.join('\n')}\n`, { recipe, concurrency: 1 });
  expect(sent.map(({ user_name }) => user_name)).toEqual(['u0', 'u1', 'u2', 'u3']);
});
