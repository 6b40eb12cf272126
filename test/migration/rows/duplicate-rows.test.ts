import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { recipeOf } from '../recipes/recipe-of.ts';
import { runImport } from '../run-import.ts';
import { startTenant } from '../start-tenant.ts';

const fileOf = (rows: string[][]) =>
  stringify([
    ['user_name', 'email', 'mobile', 'external_id', 'algorithm', 'hash'],
    ...rows.map((cells) => [...cells, 'md5', goodHashes.md5]),
  ]);

test('the first row is imported, and each later one names it; an external ID may repeat if that is accepted', async () => {
  const { sent, failures } = await runImport(
    fileOf([
      ['ann', 'ann@a', '+86-13800000001', 'x'],
      ['bob', 'ANN@A', '', 'x'],
      ['Ann', '', '13800000001', 'x'],
      ['cid', '', '852-13800000001', 'x'],
      ['', '', '', 'x'],
      ['dan', '', '86-13800000001', 'x'],
    ]),
    { concurrency: 1, accept: ['DUPLICATE_EXTERNAL_ID'] },
  );
  expect(sent.map((user) => user.user_name)).toEqual(['ann', 'cid', undefined]);
  expect(failures.map(({ row, code, message }) => [row, code, message])).toEqual([
    ['2', 'DUPLICATE_EMAIL', 'email: another row of the file has this e-mail address (row 1)'],
    [
      '3',
      'DUPLICATE_USER_NAME',
      'user_name: another row of the file has this user name (row 1); mobile: another row of the file has this mobile number (row 1)',
    ],
    ['6', 'DUPLICATE_MOBILE', 'mobile: another row of the file has this mobile number (row 1)'],
  ]);
});

test('a dry run finds who could not be created because an earlier row has the value as another identifier', async () => {
  const rows = [
    ['ann@a.cn', '', '', ''],
    ['bob', 'ANN@a.cn', '', ''],
    ['cid', '', '86-13800000001', ''],
    ['13800000001', '', '', ''],
    ['dan@a.cn', 'dan@a.cn', '', ''],
    ['13800000002', '', '86-13800000002', ''],
  ];
  const { summary, failures } = await runImport(fileOf(rows), { dryRun: true });
  expect(summary).toMatchObject({ pending: 4, codes: { DUPLICATE_EMAIL: 1, DUPLICATE_USER_NAME: 1 } });
  expect(failures.map(({ row, code, hint }) => [row, code, hint])).toEqual([
    ['2', 'DUPLICATE_EMAIL', expect.stringContaining('The other row may have it as user name')],
    ['4', 'DUPLICATE_USER_NAME', expect.stringContaining('as e-mail address or mobile number')],
  ]);
  const tenant = await startTenant();
  const real = await runImport(fileOf(rows), { concurrency: 1 }, tenant);
  expect(real.summary).toMatchObject({ created: 4, invalid: 2 });
});

test('two user names that are forms of one mobile number count as one, and the issue says that the API takes both', async () => {
  const rows = [
    ['13800000001', '', '', ''],
    ['86-13800000001', '', '', ''],
  ];
  const { failures } = await runImport(fileOf(rows), { dryRun: true });
  expect(failures).toMatchObject([{ row: '2', code: 'DUPLICATE_USER_NAME' }]);
  expect(failures[0]?.hint).toContain('86-1… and 1… count as one user name in a file with mobile numbers');
  const tenant = await startTenant();
  for (const [user_name = ''] of rows)
    expect(await tenant.importHashedUser({ user_name })).toHaveProperty('user_id');
});

test('an external ID that an earlier row has is a warning', async () => {
  const rows = [
    ['ann', '', '', 'E1'],
    ['bob', '', '', 'e1'],
    ['cid', '', '', 'E1'],
  ];
  const { sent, failures } = await runImport(fileOf(rows), { concurrency: 1 });
  expect(sent.map((user) => user.user_name)).toEqual(['ann', 'bob']);
  expect(failures).toMatchObject([
    {
      row: '3',
      code: 'DUPLICATE_EXTERNAL_ID',
      message: 'external_id: another row of the file has this external ID (row 1)',
    },
  ]);
});

test('a number that lost its leading zeros is a warning if the column has a fixed width', async () => {
  const idsOf = async (ids: string[], accept: 'LEADING_ZEROS'[] = []) => {
    const rows = ids.map((id, index) => [`u${index}`, '', '', id]);
    const { sent, failures } = await runImport(fileOf(rows), { concurrency: 1, accept });
    for (const { code, message } of failures) {
      expect(code).toBe('LEADING_ZEROS');
      expect(message).toMatch(/^external_id: the number is shorter .* \(\d of 5 digits\)$/);
    }
    return sent.map((user) => user.external_id);
  };
  const damaged = ['01000', '99501', '1001', 'A12', '00002', '3'];
  expect(await idsOf(damaged)).toEqual(['01000', '99501', 'A12', '00002']);
  expect(await idsOf(damaged, ['LEADING_ZEROS'])).toEqual(damaged);
  for (const clean of [
    ['007', '12', '5', '12345'],
    ['1', '22', '333'],
    ['00001', '000002', '3'],
  ]) {
    expect(await idsOf(clean)).toEqual(clean);
  }
});

test('postal codes have one width, even if all of them lost their zeros; other numbers can have any width', async () => {
  const codes = [...Array.from({ length: 45 }, (_, index) => String(10_000 + index)), '2138', '501'];
  const wrongOf = async (column: string) => {
    const rows = codes.map((code, index) => `u${index},${code},md5,${goodHashes.md5}`);
    const { failures } = await runImport(`user_name,${column},algorithm,hash\n${rows.join('\n')}\n`);
    return failures.map(({ row, code, message }) => [row, code, message]);
  };
  const text = 'zip_code: the number is shorter than the others of its column';
  expect(await wrongOf('zip_code')).toEqual([
    ['46', 'LEADING_ZEROS', `${text} (4 of 5 digits)`],
    ['47', 'LEADING_ZEROS', `${text} (3 of 5 digits)`],
  ]);
  expect(await wrongOf('external_id')).toEqual([]);
  // Half of the codes may be from another country.
  codes.push(...Array.from({ length: 20 }, (_, index) => String(4000 + index)));
  expect(await wrongOf('zip_code')).toEqual([]);
});

test('a rejected row still reserves its identifiers, but not if its cells moved', async () => {
  const content = `user_name,algorithm,hash\nann,md5,short\nann,md5,${goodHashes.md5}\nbob,md5\nbob,md5,${goodHashes.md5}\n`;
  const { sent, failures } = await runImport(content);
  expect(failures.map(({ row, code }) => [row, code])).toEqual([
    ['1', 'HASH_SHAPE'],
    ['2', 'DUPLICATE_USER_NAME'],
    ['3', 'CELLS'],
  ]);
  expect(sent.map((user) => user.user_name)).toEqual(['bob']);
});

test('duplicates are found over any distance, as a simple search finds them', async () => {
  const rows = fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 700 });
  await fc.assert(
    fc.asyncProperty(rows, async (numbers) => {
      const { failures } = await runImport(fileOf(numbers.map((number) => [`u${number}`, '', '', ''])));
      const repeated = numbers.flatMap((number, index) => {
        const first = numbers.indexOf(number);
        return first === index ? [] : [`${index + 1} after ${first + 1}`];
      });
      const found = failures.map(
        ({ row, message }) => `${row} after ${/row (\d+)/.exec(message ?? '')?.[1]}`,
      );
      expect(found).toEqual(repeated);
    }),
    { numRuns: 10 },
  );
});

test('a mobile number that lost its leading zeros is a warning, in CSV, JSON and LDIF', async () => {
  const hash = goodHashes.md5;
  const people = ['0612345678', '0698765432', '712345678'].map((mobile, index) => ({
    user_name: `u${index}`,
    mobile,
    algorithm: 'md5',
    hash,
  }));
  const files = {
    csv: stringify(people, { header: true }),
    json: JSON.stringify(people),
    ldif: people
      .map((one) => ['dn: x', ...Object.entries(one).map((entry) => entry.join(': '))].join('\n'))
      .join('\n\n'),
  };
  for (const content of Object.values(files)) {
    const { sent, failures } = await runImport(content, { ignoreUnknown: true });
    expect(sent).toHaveLength(2);
    expect(failures).toMatchObject([{ row: '3', code: 'LEADING_ZEROS' }]);
    expect(failures[0]?.message).toContain('mobile');
  }
});

test('the hint for a repeated mobile number says which area code one without an area code counts with', async () => {
  const rows = [
    ['ann', '', '49-13800000001', ''],
    ['bob', '', '13800000001', ''],
    ['cid', '', '86-13800000001', ''],
  ];
  const { failures } = await runImport(fileOf(rows), { concurrency: 1 });
  expect(failures).toMatchObject([{ row: '3', code: 'DUPLICATE_MOBILE' }]);
  expect(failures[0]?.hint).toContain('A number without an area code counts as one of 86');
});

test('a row with a hash whose address an earlier row without one keeps is reported as a password that is lost', async () => {
  const content = `user_name,email,algorithm,hash\napple,ann@b.cn,,\nann,ann@b.cn,md5,${goodHashes.md5}\ncid,ann@b.cn,,\n`;
  const { failures } = await runImport(content, { allowPasswordless: true, concurrency: 1 });
  expect(failures).toMatchObject([
    {
      row: '2',
      code: 'DUPLICATE_EMAIL',
      message: 'email: another row of the file has this e-mail address (row 1, which has no password)',
      hint: 'If both rows are of one person, the password is lost: put the rows with a hash first in the file.',
    },
    { row: '3', hint: expect.stringContaining('Keep one of the two rows') },
  ]);
});

test('of a disabled person and one who is not, the latter keeps the values, wherever their rows are', async () => {
  const rows = [
    ['old', 'ann@b.cn', 'x'],
    ['ann', 'ANN@b.cn', ''],
    ['older', 'ann@b.cn', 'x'],
    ['bob', 'bob@b.cn', 'x'],
    ['bobby', 'bob@b.cn', 'x'],
    ['cid', 'cid@b.cn', ''],
  ];
  const content = ['login,mail,left,pwd', ...rows.map((row) => [...row, goodHashes.md5].join(','))].join(
    '\n',
  );
  const recipe = await recipeOf(
    'fields: { user_name: { column: login }, email: { column: mail } }\npassword: { column: pwd, algorithm: { infer: true } }\ndisable: { where: { column: left, filled: true } }',
  );
  const { sent, failures } = await runImport(content, { recipe, concurrency: 1 });
  expect(sent.map((user) => user.user_name)).toEqual(['ann', 'bob', 'cid']);
  expect(failures.map(({ row, message, hint }) => [row, message, hint])).toEqual([
    [
      '1',
      expect.stringContaining('(row 2, which is not disabled)'),
      expect.stringContaining('remove this row'),
    ],
    ['3', expect.stringContaining('(row 2)'), expect.stringContaining('Keep one of the two rows')],
    ['5', expect.stringContaining('(row 4)'), expect.stringContaining('Keep one of the two rows')],
  ]);
});

test('a person who is disabled keeps no values of a row that is rejected itself, since it may be corrected', async () => {
  const recipe = await recipeOf(
    'fields: { user_name: { column: login } }\npassword: { column: pwd, algorithm: { infer: true } }\ndisable: { where: { column: status, in: [L], known: [A] } }',
  );
  const content = `login,status,pwd\nann,L,${goodHashes.md5}\nann,Z,${goodHashes.md5}\nbob,L,${goodHashes.md5}\nbob,A,broken\n`;
  const { sent, failures } = await runImport(content, { recipe, concurrency: 1 });
  expect(sent).toEqual([]);
  expect(failures.map(({ row, code }) => [row, code])).toEqual([
    ['1', 'DUPLICATE_USER_NAME'],
    ['2', 'VALUE_UNKNOWN'],
    ['3', 'DUPLICATE_USER_NAME'],
    ['4', expect.any(String)],
  ]);
});
