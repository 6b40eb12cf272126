import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const { bcrypt } = goodHashes;

test('the apostrophes that Auth0 writes before each text of a CSV export do not become part of anybody', async () => {
  const cells = ["'auth0|5d", '', "'ann@b.cn", "'Ann", "''t Hooft", "'+8613800138000", 'false'];
  const row = [...cells.map((cell) => `"${cell}"`), 'true', bcrypt].join(',');
  const header =
    'user_id,username,email,given_name,family_name,phone_number,blocked,email_verified,password_hash';
  const { sent, failures } = await runImport(`${header}\n${row}\n`);
  expect(failures).toEqual([]);
  expect(sent).toMatchObject([
    {
      user_name: 'ann@b.cn',
      email: 'ann@b.cn',
      first_name: 'Ann',
      last_name: "'t Hooft",
      mobile: '+86-13800138000',
      external_id: 'auth0|5d',
    },
  ]);
});

test('a name that begins with an apostrophe keeps it in an export as JSON', async () => {
  const user = { user_id: 'auth0|5d', email: 'ann@b.cn', family_name: "'t Hooft", given_name: 'Ann' };
  const { sent } = await runImport(JSON.stringify([{ ...user, email_verified: true, passwordHash: bcrypt }]));
  expect(sent).toMatchObject([{ last_name: "'t Hooft", first_name: 'Ann' }]);
});
