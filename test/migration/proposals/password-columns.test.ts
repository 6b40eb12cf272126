import { expect, test } from 'vitest';
import { quoteWord } from '../../../src/text/shell-quote.ts';
import { goodHashes } from '../hashes.ts';
import { making } from './making.ts';

const { bcrypt, md5 } = goodHashes;
const ofAnything = [
  'email_hash',
  'photo_md5',
  'auth_key',
  'user_hash',
  'rss_key',
  'photo.hash',
  'legacy_ref',
];
const withPass = [
  ...['passenger_md5', 'bypass_hash', 'compassHash', 'season_pass_hash', 'passkey', 'credential_id'],
  ...['agent_password', 'mail_password', 'active_password', 'clave', 'crypt', 'smtp.password'],
];
const ofSecrets = [
  ...['verification_code', 'activation', 'password_reset_hash', 'api_key', 'owner.hash', 'secret', 'data'],
  ...[
    'pin',
    'pin_hash',
    'otp_hash',
    'mfa_secret',
    'sms_code',
    'device_hash',
    'sec_code',
    'code',
    'zoom_pass',
  ],
  ...['支付密码', '交易密码', 'payment_password', 'pay_pwd', 'trade_pwd', 'withdrawal_pwd', 'fund_password'],
  ...['transaction_password', 'wifi_password', 'smtp_password', 'ftp_password_hash', 'vpn_pwd', 'db_pass'],
  ...['prev_password_hash', 'last_password_hash', 'initial_password_hash', 'old_pwd', 'temp_password'],
];
const php = `a:1:{s:4:"hash";s:60:"${bcrypt}";}`;
const pbkdf2 = `pbkdf2_sha256$600000$salt$${'a'.repeat(43)}=`;

test.each([...ofAnything, ...withPass, ...ofSecrets])(
  'hashes in a column %s, whose name does not say that people log in with them, are asked about',
  async (name) => {
    const [outer = '', inner] = name.split('.');
    for (const hash of [md5, bcrypt, php, pbkdf2]) {
      const users = [0, 1].map((index) => ({
        user_name: `u${index}`,
        [outer]: inner ? { [inner]: hash } : hash,
      }));
      const made = await making(JSON.stringify(users));
      expect(made.recipe.password).toBeUndefined();
      expect(made.open).toEqual([
        `hash may be ${name}: if one holds the hashes of passwords, run recipe make again with --map ${quoteWord(`hash=${name}`)}`,
      ]);
    }
  },
);

const valuesOf = { bcrypt, md5, plain: 'secret 1' };

test.each<[columns: Record<string, keyof typeof valuesOf>, taken: string | undefined, open?: string]>([
  // In the tutorial from which many applications were made, `hash` is that of the activation code.
  [{ password: 'bcrypt', hash: 'md5' }, undefined, 'hash may be password or hash'],
  [{ hash: 'md5', password: 'md5' }, undefined, 'hash may be hash or password'],
  [{ password: 'md5', data: 'bcrypt' }, undefined, 'hash may be password or data'],
  [{ pwd: 'md5', user_pass: 'md5' }, undefined, 'hash may be pwd or user_pass'],
  [{ hash: 'bcrypt', code: 'bcrypt' }, undefined, 'hash may be hash or code'],
  // Beside the passwords themselves, hashes may be of something else.
  [{ password: 'plain', hash: 'bcrypt' }, undefined, 'hash may be hash'],
  [{ password: 'plain', pin_hash: 'bcrypt' }, undefined, 'hash may be pin_hash'],
  [{ password: 'plain', password_hash: 'bcrypt' }, 'password_hash'],
  [{ password: 'bcrypt', pin_hash: 'bcrypt', pay_pwd: 'bcrypt', old_pwd: 'bcrypt' }, 'password'],
  [{ password_digest: 'bcrypt', reset_digest: 'bcrypt' }, 'password_digest'],
  [{ password: 'md5', legacy_ref: 'md5', uuid: 'md5', photo_md5: 'md5' }, 'password'],
  [{ hash: 'md5', legacy_ref: 'md5' }, 'hash'],
])('of the columns %j, one is taken only if no other may be it', async (columns, taken, open) => {
  const cells = Object.entries(columns).map(([name, kind]) => [name, valuesOf[kind]]);
  const made = await making(JSON.stringify([{ user_name: 'ann', ...Object.fromEntries(cells) }]));
  expect(made.recipe.password?.column).toBe(taken);
  if (open !== undefined) expect(made.open[0]).toContain(open);
  // While one may hold the hashes, nothing needs to be decided about passwords themselves.
  expect(made.open).toHaveLength(Number(open !== undefined));
  const isPlain = Object.values(columns).includes('plain');
  expect([...made.open, ...made.notes]).toHaveLength(Number(open !== undefined) + Number(isPlain));
});

test('a salt in an object of its own, as Auth0 has it, is not asked about', async () => {
  const custom_password_hash = { hash: { value: php }, salt: { value: 'aj3k2' } };
  const made = await making(JSON.stringify([{ user_name: 'ann', custom_password_hash }]));
  expect([...made.open, ...made.notes].filter((text) => text.includes('salt.value holds'))).toEqual([]);
  const plain = await making(
    JSON.stringify([{ user_name: 'ann', password: { value: 'x1', salt: { value: 'aj3k2' } } }]),
  );
  expect(plain.open).toEqual([expect.stringMatching(/^password\.value holds no known hashes/)]);
});

test('of two columns of bcrypt whose names say nothing, neither is taken', async () => {
  const made = await making(JSON.stringify([{ user_name: 'ann', data: bcrypt, other: bcrypt }]));
  expect(made.open).toEqual([expect.stringContaining('hash may be data or other')]);
});

test.each([
  ...['hash', 'Digest', 'bcrypt', 'pw', 'Kennwort', 'crypted_password', 'HashedSaltedValue'],
  ...['passMd5', 'user_pass', 'encryptedPass', 'pass_hash', 'mot_de_passe', 'userPwd', 'member_password'],
  ...[
    'mdp',
    'mdp_hash',
    '密碼',
    '登录密码',
    'pswd',
    'psw',
    'credentials.hash',
    'wachtwoord',
    'parola',
    'hasło_md5',
  ],
  ...['heslo', 'パスワード', '비밀번호', 'lozinka', 'salasana', 'adgangskode', 'lösenord', 'auth.password'],
])('hashes in a column %s are taken for those of passwords', async (name) => {
  const made = await making(JSON.stringify([{ user_name: 'ann', [name]: md5, legacy_ref: md5 }]));
  expect(made.recipe.password?.column).toBe(name);
  expect(made.open).toEqual([]);
});

test('passwords themselves are not taken for hashes because of the hashes in later rows of a large file', async () => {
  const rows = Array.from(
    { length: 3000 },
    (_, at) => `u${at},${at >= 1000 && at < 1600 ? md5 : 'secret 1'}`,
  );
  const made = await making(`login,password\n${rows.join('\n')}\n`);
  expect(made.recipe.password).toBeUndefined();
  expect(made.open).toEqual([expect.stringContaining('password holds too few known hashes and is not used')]);
});
