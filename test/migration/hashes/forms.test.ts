import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { identify } from '../../../src/migration/hashes/identify.ts';

const hex = (name: string) => createHash(name).update('x').digest('hex');
const b64 = (name: string) => createHash(name).update('x').digest('base64');
const body = 'N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const [md5, sha1, sha256, sha512] = ['md5', 'sha1', 'sha256', 'sha512'].map(hex);
const salted = b64('sha256').slice(0, 36);

/** Hashes in the forms that web systems store, grouped by what an import can do with them. */
const forms = {
  'as-is': [
    `$2a$10$${body}`,
    `$2b$12$${body}`,
    `$2y$10$${body}`,
    md5,
    md5?.toUpperCase(),
    b64('md5'),
    sha256,
    b64('sha256'),
  ],
  strip: [
    `{bcrypt}$2a$10$${body}`,
    `{BCRYPT}$2y$10$${body}`,
    `{CRYPT}$2y$10$${body}`,
    `{crypt}$2b$10$${body}`,
    `{BLF-CRYPT}$2y$05$${body}`,
    `bcrypt$$2b$12$${body}`,
    `{MD5}${b64('md5')}`,
    `{PLAIN-MD5}${md5}`,
  ],
  no: [
    // PHC and MCF
    '$argon2id$v=19$m=65536,t=3,p=4$c2FsdHNhbHQ$aGFzaGhhc2g',
    '$argon2i$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    '$argon2d$v=19$m=512,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4CbdRSCdEBsjjJxD',
    '$s0$e0801$epIxT/h6HbbwHaehFnh/bw==$7H0vsXlY8UxxyW/BWx/9GuY7jEvGjT71GFd6O4SZND0=',
    '$7$C6..../....SodiumChloride$kBGj9fHznVYFQMEn/qDCfrDevf9YDtcDdKvEqHJLV8D',
    '$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7',
    '$gy$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7',
    '$1$3azHgidD$SrJPt7B.9rekpmwJwtON31',
    '$apr1$Ma/TlxLw$ewtVEyz7GzGcBhhn0E7Jz0',
    '$5$rounds=80000$wnsT7Yr92oJoP28r$cKhJImk5mfuSKV9b3mumNzlbstFUplKtQXXMo4G6Ep5',
    '$6$rounds=40000$JvTuqzqw9bQ8iBl6$SxklIkW4gz00LvuOsKRCfNEllLciOqY/FSAwODHon45YTJEozmy.QAWiyVpuiq7XMTUMWbIWWEuQytdHkigcN/',
    '$sha1$40000$jtNX3nZ2$hBNaIXkt4wBI2o5rsi8KejSjNqIq',
    '$md5,rounds=904$salt$$hash',
    '$2$10$abcdefghijklmnopqrstuv',
    `$2x$10$${body}`,
    '$sm3$salt$hash',
    '$pbkdf2-sha256$29000$N2YMIWQsBWBMae09x1jrPQ$1t8iyB2A.WF/Z5JZv.lfCIhXXN33N23OSgQYThBYRfk',
    '$pbkdf2-sha512$25000$LyWE0HrP2RsjZCxlDGFMKQ$1vC5Ohk2mCS9b6akqsEfgeb4l74SF8XjH',
    '$pbkdf2$5000$c2FsdA$aGFzaGhhc2g',
    '$pbkdf2-sha256$i=600000,l=32$c2FsdHNhbHQ$aGFzaGhhc2hoYXNo',
    '$8$dsYGNam3K1SIJO$7nv/35M/qr6t.dVc7UY9zrJDWRVqncHub1PE9UlMQFs',
    '$9$nhEmQVczB7dqsO$X.HsgL6x1il0RxkOSSvyQYwucySCt7qFm4v7pqCxkKM',
    '$3$$8846f7eaee8fb117ad06bdd830b7586c',
    // Django
    'pbkdf2_sha256$600000$salt$aGFzaGhhc2hoYXNoaGFzaA==',
    'pbkdf2_sha1$600000$salt$aGFzaGhhc2g=',
    'argon2$argon2id$v=19$m=102400,t=2,p=8$c2FsdA$aGFzaA',
    'scrypt$16384$salt$8$5$aGFzaGhhc2g=',
    `bcrypt_sha256$$2b$12$${body}`,
    `sha1$salt$${sha1}`,
    `md5$salt$${md5}`,
    `!${'aB3'.repeat(13)}x`,
    '!',
    '*',
    '!!',
    '*LK*',
    // passlib, Werkzeug
    `$bcrypt-sha256$v=2,t=2b,r=12$${body}`,
    'pbkdf2:sha256:260000$saltsalt$0123456789abcdef',
    'scrypt:32768:8:1$saltsalt$0123456789abcdef',
    // Spring
    '{noop}hunter2',
    `{sha256}${sha256}`,
    `{SHA-256}{salt}${sha256}`,
    `{MD4}${md5}`,
    '{scrypt}$e0801$8bWJaSu2IKSn9Z9kM+TPXfOc/9bdYSrN1oD9qfVThWEwdRTnO7re7Ei+fUZRJ68k9lTyuTeUp4of4g24hHnazw==$OAOec05+bXxvuu/1qZ6NUR+xQYvYv7BeL1QxwRpY5Pc=',
    '{scrypt@SpringSecurity_v5_8}$100801$8bWJaSu2IKSn9Z9kM+TPXfOc$OAOec05+bXxvuu/1qZ6NUR',
    '{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc',
    '{pbkdf2@SpringSecurity_v5_8}5d923b44a6d129f3ddf3e3c8d2941272',
    '{argon2}$argon2id$v=19$m=16384,t=2,p=1$c2FsdA$aGFzaA',
    '{argon2@SpringSecurity_v5_8}$argon2id$v=19$m=16384,t=2,p=1$c2FsdA$aGFzaA',
    '{ldap}{SSHA}c2FsdHNhbHRzYWx0c2FsdHNhbHQ=',
    // ASP.NET Identity, SimpleMembership
    `AQAAAAEAACcQAAAAE${'A'.repeat(67)}==`,
    `AQAAAAIAAYagAAAAE${'B'.repeat(67)}==`,
    `A${'B'.repeat(65)}==`,
    // LDAP
    `{SSHA}${b64('sha1').slice(0, 26)}c2FsdA==`,
    `{ssha}${salted}`,
    `{SMD5}${salted}`,
    `{SSHA256}${salted}`,
    `{SSHA512}${salted}`,
    `{SHA}${b64('sha1')}`,
    `{SHA512}${b64('sha512')}`,
    '{CRYPT}$6$salt$hashhashhash',
    '{CRYPT}$1$salt$hashhashhash',
    '{PBKDF2_SHA256}AAAgAG1oZ2ZkZmdoZGZnaGRmZ2g=',
    '{PBKDF2-SHA512}10000$c2FsdA$aGFzaA',
    '{ARGON2}$argon2i$v=19$m=4096,t=3,p=1$c2FsdA$aGFzaA',
    '{x-nthash}8846F7EAEE8FB117AD06BDD830B7586C',
    '{SASL}ann@EXAMPLE.COM',
    '{CRAM-MD5}9186d855e11eba527a7a52ca82b313e180d62234f0acc9051b527243d41e2740',
    '{SHA512-CRYPT}$6$salt$hash',
    '{KSSHA}c2FsdA',
    // Content management, forums, shops
    '$P$BDrRBXpHlq9PFbLdPvCYyCgGM9Fvs0/',
    '$H$9V1cX/WqUhsSWM0ipyB7HwFQqTQKxP1',
    `$wp$2y$10$${body}`,
    '$S$DxVn7wubSRzoK9X2pkGx4njeDRkLEgdqPphc2ZXkkb8Viy8JEGf3',
    'U$S$9wnAl3p3jz4TJbBr6HCzuPQ0NpeXyPFa5wf5jQEkz2IrTQtXWoNu',
    `${md5}:aBcDeFgHiJkLmNoPqRsTuVwXyZ012345`,
    `${sha1}:salt`,
    `${sha256}:salt:1`,
    `${sha256}:salt:2`,
    `${md5}:ab:0`,
    `:B:1234abcd:${md5}`,
    `:A:${md5}`,
    ':pbkdf2:sha512:30000:64:c2FsdA==:aGFzaA==',
    ':bcrypt:10$salt',
    `{PKCS5S2}${'A'.repeat(64)}`,
    '$SHA$abcdef$0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    '$shiro1$SHA-256$500000$c2FsdA==$aGFzaA==',
    '$shiro2$argon2id$v=19$t=1,m=65536,p=4$c2FsdA$aGFzaA',
    // Databases and others
    '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19',
    '$A$005$salt1234567890123456hash',
    `md5${md5}`,
    'SCRAM-SHA-256$4096:c2FsdA==$c3RvcmVk:c2VydmVy',
    `0x0100${'0'.repeat(48)}`,
    `0x0200${'0'.repeat(136)}`,
    `S:${'0'.repeat(60)}`,
    '_J9..rasmBYk8r9AiWNc',
    'rl.3StKT.4T8M',
    sha1,
    sha512,
    b64('sha512'),
    b64('sha1'),
    hex('sha384'),
    hex('sha224'),
    md5?.slice(8, 24),
    md5?.slice(5, 25),
    '{"hashIterations":27500,"algorithm":"pbkdf2-sha256","value":"aGFzaA=="}',
    '(GDpOtD35gGlyDksQRxEU)',
  ],
} as const;

test.each(Object.entries(forms))('the forms of hashes whose use is %s are recognised', (use, texts) => {
  const unlike = texts.filter((text = '') => {
    const found = identify(text);
    return found.use !== use || found.remedy === '';
  });
  // At least 95 of 100 for each use.
  expect(unlike.slice(Math.floor(texts.length * 0.05))).toEqual([]);
});

test('words are not recognised as hashes', () => {
  for (const text of ['', 'hello', 'Secret123!', 'correct horse battery staple']) {
    expect(identify(text)).toMatchObject({ kinds: [], use: 'unknown' });
  }
});
