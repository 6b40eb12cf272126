import { expect, test } from 'vitest';
import { type BuiltInName, builtInRecipe } from '../../../src/migration/recipes/built-in.ts';
import { runImport } from '../run-import.ts';
import { recipeOf } from './recipe-of.ts';

/** The people who are created of an export without hashes, and how many records are left out. */
async function peopleOf(name: BuiltInName, content: string) {
  const recipe = await builtInRecipe(name);
  const { sent, failures, summary } = await runImport(content, {
    recipe,
    allowPasswordless: true,
    concurrency: 1,
  });
  expect(failures).toEqual([]);
  return { sent, names: sent.map((user) => user.user_name), skipped: summary.skipped };
}

const entry = (name: string, ...lines: string[]) =>
  [`dn: cn=${name}`, 'objectClass: top', `sAMAccountName: ${name}`, 'cn: x', ...lines, ''].join('\n');

test('computers, groups and trusts of Active Directory do not become users', async () => {
  const entries = [
    entry('ann', 'userAccountControl: 512', 'mail: ann@b.cn'),
    entry('PC01$', 'userAccountControl: 4096'),
    entry('DC01$', 'userAccountControl: 532480'),
    entry('OTHER$', 'userAccountControl: 2080'),
    entry('Domain Admins', 'groupType: -2147483646'),
    entry('eve', 'userAccountControl: 66048'),
  ];
  expect(await peopleOf('ldap', entries.join('\n'))).toMatchObject({ names: ['ann', 'eve'], skipped: 4 });
});

test('only a lock by an administrator leaves people of a directory out, and no switchboard is a mobile', async () => {
  const entries = [
    'dn: uid=ann\nuid: ann\ncn: Ann\ntelephoneNumber: +86 10 6552 9988\npwdAccountLockedTime: 20240501093000Z\n',
    'dn: uid=bob\nuid: bob\ncn: Bob\npwdAccountLockedTime: 000001010000Z\n',
    'dn: uid=cyd\nuid: cyd\ncn: Cyd\ntelephoneNumber: +86 10 6552 9988\nmobile: +86 138 0013 8000\n',
  ];
  const { sent, skipped } = await peopleOf('ldap', entries.join('\n'));
  expect(sent).toEqual([
    { user_name: 'ann', name: 'Ann' },
    { user_name: 'cyd', name: 'Cyd', mobile: '+86-13800138000' },
  ]);
  expect(skipped).toBe(1);
});

test('people whose hash was locked in a directory are left out', async () => {
  const entryOf = (uid: string, hash: string) => `dn: uid=${uid}\nuid: ${uid}\nuserPassword: ${hash}\n`;
  const locked = ['{SSHA}!c2FsdHNhbHRzYWx0c2FsdHNhbHQ=', '{CRYPT}*', '!$6$salt$abc'];
  const entries = [entryOf('ann', '!'), ...locked.map((hash, index) => entryOf(`u${index}`, hash))];
  const { sent, summary } = await runImport(entries.join('\n'), {
    recipe: await builtInRecipe('ldap'),
    foreignHashes: 'passwordless',
  });
  expect(sent.map((user) => user.user_name)).toEqual(['ann']);
  expect(summary).toMatchObject({ skipped: 3, invalid: 0 });
});

test('anonymous people of Firebase do not become users, and people of a provider do', async () => {
  const users = [
    { localId: 'a1', email: 'ann@b.cn' },
    { localId: 'a2', phoneNumber: '+8613800138000' },
    { localId: 'a3', providerUserInfo: [{ providerId: 'facebook.com', rawId: '7' }] },
    { localId: 'a4', providerUserInfo: [] },
  ].map((user) => ({ ...user, createdAt: '1', disabled: false }));
  const fromJson = await peopleOf('firebase', JSON.stringify({ users }));
  expect(fromJson).toMatchObject({ names: ['ann@b.cn', '+8613800138000', 'a3'], skipped: 1 });
  const row = (id: string, filled: Record<number, string>) =>
    Array.from({ length: 29 }, (_, index) =>
      index === 0 ? id : (filled[index] ?? (index === 26 ? 'false' : '')),
    ).join(',');
  const rows = [row('a1', { 1: 'ann@b.cn' }), row('a2', { 25: '+8613800138000' })];
  const others = [
    row('a3', { 7: '1' }),
    row('a4', { 11: '1' }),
    row('a5', { 15: '1' }),
    row('a6', { 19: '1' }),
  ];
  const fromCsv = await peopleOf('firebase-csv', [...rows, ...others, row('a7', {})].join('\n'));
  expect(fromCsv).toMatchObject({
    names: ['ann@b.cn', '+8613800138000', 'a3', 'a4', 'a5', 'a6'],
    skipped: 1,
  });
});

test('people who never confirmed their address at Cognito or Supabase do not become users', async () => {
  const Users = ['CONFIRMED', 'UNCONFIRMED', 'FORCE_CHANGE_PASSWORD'].map((UserStatus) => ({
    Username: UserStatus,
    Enabled: true,
    UserStatus,
  }));
  expect(await peopleOf('cognito', JSON.stringify({ Users }))).toMatchObject({
    names: ['CONFIRMED', 'FORCE_CHANGE_PASSWORD'],
    skipped: 1,
  });
  const rows = ['1,ann@b.cn,2024-01-01,', '2,bob@b.cn,,', '3,cyd@b.cn,,2024-01-01', '4,dan@b.cn,NULL,NULL'];
  const header = 'id,email,email_confirmed_at,phone_confirmed_at,encrypted_password';
  const content = [header, ...rows.map((one) => `${one},`)].join('\n');
  expect(await peopleOf('supabase', content)).toMatchObject({ names: ['ann@b.cn', 'cyd@b.cn'], skipped: 2 });
  // An export without these columns says nothing of it.
  const bare = 'id,email,aud,encrypted_password\n1,ann@b.cn,x,\n';
  expect(await peopleOf('supabase', bare)).toMatchObject({ names: ['ann@b.cn'], skipped: 0 });
});

test('no bot of Discourse becomes a user', async () => {
  const rows = ['1,ann', '-1,system', '-2,discobot', '-1203,gpt', '2147483646,bob'];
  const content = ['id,username,password_hash,salt,trust_level', ...rows.map((row) => `${row},,,1`)].join(
    '\n',
  );
  expect(await peopleOf('discourse', content)).toMatchObject({ names: ['ann', 'bob'], skipped: 3 });
});

test('people whom BuddyPress marks as spam, or who never activated their account, do not become users', async () => {
  const rows = ['1,ann,0', '2,spam,1', '3,new,2', '4,bob,'];
  const header = 'ID,user_login,user_status,user_pass,user_email';
  const content = [header, ...rows.map((row) => `${row},,`)].join('\n');
  expect(await peopleOf('wordpress', content)).toMatchObject({ names: ['ann', 'bob'], skipped: 2 });
});

test('a list of users that RuoYi exports as a table is read, but for those who are disabled', async () => {
  const header = '用户序号,登录名称,用户昵称,用户邮箱,手机号码,用户性别,帐号状态,员工状态';
  const rows = [
    '1,ann,李安,ann@b.cn,13800138000,女,正常,在职',
    '2,bob,王波,,,男,停用,',
    '3,cyd,赵丁,,,男,正常,离职',
  ];
  const { sent, skipped } = await peopleOf('chinese', [header, ...rows].join('\n'));
  expect(skipped).toBe(2);
  expect(sent).toEqual([
    {
      user_name: 'ann',
      name: '李安',
      attr_nick_name: '李安',
      email: 'ann@b.cn',
      mobile: '+86-13800138000',
      attr_gender: 'female',
      external_id: '1',
    },
  ]);
});

test('people of Active Directory are read from what Get-ADUser exports', async () => {
  const header =
    'DistinguishedName,EmailAddress,Enabled,GivenName,MobilePhone,Name,ObjectClass,ObjectGUID,SamAccountName,Surname';
  const rows = ['True', 'False'].map((enabled, row) =>
    [
      'cn=x',
      `u${row}@b.cn`,
      enabled,
      'Ann',
      '+86 138 0013 8000',
      'Ann Lee',
      'user',
      `g${row}`,
      `u${row}`,
      'Lee',
    ].join(),
  );
  const { sent, summary } = await runImport([header, ...rows].join('\n'), { allowPasswordless: true });
  expect(summary.skipped).toBe(1);
  expect(sent).toEqual([
    {
      user_name: 'u0',
      name: 'Ann Lee',
      first_name: 'Ann',
      last_name: 'Lee',
      email: 'u0@b.cn',
      mobile: '+86-13800138000',
      external_id: 'g0',
    },
  ]);
});

test('people who are disabled in Samba, AD LDS or eDirectory are left out', async () => {
  const marks = ['msDS-UserAccountDisabled: TRUE', 'loginDisabled: TRUE', 'sambaAcctFlags: [DU         ]'];
  const others = ['msDS-UserAccountDisabled: FALSE', 'loginDisabled: FALSE', 'sambaAcctFlags: [UX         ]'];
  const entries = [...marks, ...others, 'sambaAcctFlags: [W          ]'].map((line, row) =>
    entry(`u${row}`, line),
  );
  const { names, skipped } = await peopleOf('ldap', entries.join('\n'));
  expect([names, skipped]).toEqual([['u3', 'u4', 'u5'], 4]);
});

test('people of Okta are read from the answer of its API', async () => {
  const user = (id: string, status: string) => ({
    id,
    status,
    activated: '2024-01-01T00:00:00.000Z',
    profile: {
      login: `${id}@b.cn`,
      email: `${id}@b.cn`,
      firstName: 'Ann',
      lastName: 'Lee',
      mobilePhone: null,
    },
    credentials: { emails: [{ value: `${id}@b.cn`, status: 'VERIFIED', type: 'PRIMARY' }] },
  });
  const list = [user('00u1', 'ACTIVE'), user('00u2', 'SUSPENDED'), user('00u3', 'STAGED')];
  const { sent, summary } = await runImport(JSON.stringify(list), {
    allowPasswordless: true,
    concurrency: 1,
  });
  expect(summary).toMatchObject({ skipped: 1, ignored_columns: [] });
  expect(sent.map(({ user_name }) => user_name)).toEqual(['00u1@b.cn', '00u3@b.cn']);
  expect(sent[0]).toMatchObject({ name: 'Ann Lee', email: '00u1@b.cn', external_id: '00u1' });
});

test('the list of users that an administrator of Discourse exports is recognised', async () => {
  const header =
    'id,name,username,email,title,created_at,last_seen_at,trust_level,suspended_at,suspended_till,active,admin,staged';
  const rows = [
    '7,Ann,ann,ann@b.cn,,,,1,,,true,false,false',
    '8,Bob,bob,bob@b.cn,,,,1,,3019-01-01,true,false,false',
  ];
  const { sent, summary } = await runImport([header, ...rows].join('\n'), { allowPasswordless: true });
  expect(sent).toEqual([{ user_name: 'ann', name: 'Ann', email: 'ann@b.cn', external_id: '7' }]);
  expect(summary.skipped).toBe(1);
});

test('people of Okta and Cognito have a full name even if only its parts are in the export', async () => {
  const okta =
    'login,firstName,lastName,email,displayName\nann,Ann,Lee,ann@b.cn,\nbob,Bob,Ray,bob@b.cn,Bobby\n';
  expect((await peopleOf('okta', okta)).sent.map(({ name }) => name)).toEqual(['Ann Lee', 'Bobby']);
  const names = ['given_name,family_name,name', 'Ann,Lee,', 'Bob,Ray,Bobby', ',Poe,'];
  const cognito = names.map((line, row) =>
    row === 0 ? `cognito:username,cognito:mfa_enabled,${line}` : `u${row},FALSE,${line}`,
  );
  const { sent } = await peopleOf('cognito', cognito.join('\n'));
  expect(sent.map(({ name }) => name)).toEqual(['Ann Lee', 'Bobby', 'Poe']);
});

test('a template takes the place of columns without a value', async () => {
  const recipe = await recipeOf(`
fields:
  user_name: { column: login }
  name: { column: [shown, known], template: "{first} {last}", trim: true }
empty: ["-"]
`);
  const rows = ['ann, Ann L. ,,Ann,Lee', 'bob,,Bobby,Bob,Ray', 'cyd,-,-,Cyd,-', 'dan,,,,'];
  const content = ['login,shown,known,first,last', ...rows].join('\n');
  const { sent } = await runImport(content, { recipe, allowPasswordless: true, concurrency: 1 });
  expect(sent.map(({ name }) => name)).toEqual(['Ann L.', 'Bobby', 'Cyd', undefined]);
});

test('claims of Firebase, which may say who is banned, are named as ignored', async () => {
  const user = { localId: 'a1', email: 'a@b.cn', createdAt: '1', disabled: false, customAttributes: '{}' };
  const options = { recipe: await builtInRecipe('firebase'), allowPasswordless: true };
  const { summary } = await runImport(JSON.stringify({ users: [user] }), options);
  expect(summary.ignored_columns).toEqual(['customAttributes']);
});
