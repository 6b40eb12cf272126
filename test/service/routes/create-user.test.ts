import { expect, test } from 'vitest';
import { device, startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';

const users = '/api/v2/tenant/users';
const imports = `${users}/import-hash-pwd`;
const creates = [users, imports];

/** Every attribute but the user name. An empty user name could not be distinguished from a generated one. */
const optional = [
  'name',
  'mobile',
  'email',
  'attr_gender',
  'attr_birthday',
  'attr_nick_name',
  'mailing_address',
  'zip_code',
  'first_name',
  'middle_name',
  'last_name',
  'industry',
  'external_id',
  'head_img',
  'extension',
];

const bare = {
  user_id: expect.any(String),
  user_name: expect.stringMatching(/^user_[0-9a-z]{10}$/),
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
  disabled: false,
  usr_auth_times: '0',
};

test.each(creates)(
  '%s creates a user from an empty body, with a generated name and nothing else',
  async (path) => {
    const { client, request } = await startTestService();
    const { status, body } = await request<{ user_id: string }>('POST', path, { body: {} });
    expect(status).toBe(200);
    expect(body).toEqual({ user_id: expect.stringMatching(/^\d{17}-[0-9A-F]{4}-[0-9A-F]{9}$/) });
    expect(await client.getUser(body.user_id)).toEqual(bare);
  },
);

test.each(creates)('%s treats empty texts and nulls as absent', async (path) => {
  const { client, request } = await startTestService();
  for (const empty of ['', null]) {
    const body = Object.fromEntries(
      ['user_name', ...optional, 'pwd', 'hash-pwd'].map((name) => [name, empty]),
    );
    const reply = await request<{ user_id: string }>('POST', path, { body });
    expect(reply.status).toBe(200);
    expect(await client.getUser(reply.body.user_id)).toEqual(bare);
  }
});

test('create keeps every attribute as it was given', async () => {
  const { client } = await startTestService();
  const values = {
    user_name: 'Ann.O’Neil',
    name: '  Ann "the\\ 字" 🔑 <b>',
    mobile: '86-15200000000',
    email: 'Ann@Example.com',
    attr_gender: 'unknow',
    attr_birthday: '2000-02-29',
    attr_nick_name: "'; DROP TABLE users; --",
    mailing_address: '1 Main St., 北京',
    zip_code: '100000',
    first_name: 'Ann',
    middle_name: 'M',
    last_name: "O'Neil",
    industry: '事业单位',
    external_id: 'E/1 2',
    head_img: 'https://example.com/a.png?x=1',
    extension: { age: '42', joined_on: '2020-02-29' },
  };
  const { user_id } = await client.createUser(values);
  expect(await client.getUser(user_id)).toEqual({ ...bare, ...values, user_id });
});

test('create ignores unknown fields and fields that only the service sets', async () => {
  const { client, request } = await startTestService();
  const body = {
    user_id: 'mine',
    disabled: true,
    usr_auth_times: '9',
    created_at: '2000-01-01 00:00:00',
    salt: 'x',
    __proto__x: { user_name: 'evil' },
    constructor: 5,
  };
  const reply = await request<{ user_id: string }>('POST', users, { body });
  expect(reply.status).toBe(200);
  expect(await client.getUser(reply.body.user_id)).toEqual(bare);
});

test('a body cannot set values through its prototype', async () => {
  const { client, request } = await startTestService();
  const body = '{"__proto__":{"user_name":"evil","pwd":"x"},"extension":{}}';
  const reply = await request<{ user_id: string }>('POST', users, { body });
  expect(await client.getUser(reply.body.user_id)).toEqual(bare);
  const extension = await request('POST', users, { body: '{"extension":{"__proto__":"x"}}' });
  expect(extension).toMatchObject(errorReply('extensionInvalid', '__proto__'));
});

test('import ignores a plain password, so that the user cannot log in with it', async () => {
  const { client, request } = await startTestService();
  await request('POST', imports, { body: { user_name: 'ann', pwd: 'qwe123!@#' } });
  const device = { device_fingerprint: 'f', device_ip: 'i', operating_sys_version: 's' };
  expect(await client.getUserByUserName('ann')).not.toHaveProperty('pwd_change_at');
  await expect(client.logIn('ann', 'qwe123!@#', device)).rejects.toMatchObject(
    apiErrorOf('loginRefused', '4'),
  );
});

test.each([
  ['pwd_must_modify', users, { pwd_must_modify: 'false' }, 'pwd_must_modify must be true or false'],
  ['pwd_must_modify', imports, { pwd_must_modify: 0 }, 'pwd_must_modify must be true or false'],
  ['pwd', users, { pwd: 12345678 }, 'pwd must be a text'],
  ['extension', users, { extension: 'age' }, 'extension must be an object'],
  ['extension', users, { extension: ['age'] }, 'extension must be an object'],
  ['hash-pwd', imports, { 'hash-pwd': 'md5' }, 'hash-pwd must be an object'],
  ['hash-pwd', imports, { 'hash-pwd': [] }, 'hash-pwd must be an object'],
  ['its value', imports, { 'hash-pwd': { algorithm: 'md5', value: 5 } }, 'hash-pwd.value must be a text'],
])('the error names %s if it has the wrong type', async (_field, path, body, message) => {
  const { request } = await startTestService();
  expect(await request('POST', path, { body })).toMatchObject(errorReply('requestInvalid', message));
});

test('create refuses a second user with the same name or e-mail address in another case, or the same number in another form', async () => {
  const { client } = await startTestService();
  await client.createUser({ user_name: 'Ann', email: 'Ann@Example.com', mobile: '15200000000' });
  await expect(client.createUser({ user_name: 'aNN' })).rejects.toMatchObject(apiErrorOf('userNameTaken'));
  await expect(client.createUser({ email: 'ann@example.COM' })).rejects.toMatchObject(
    apiErrorOf('emailTaken'),
  );
  await expect(client.createUser({ mobile: '+86-15200000000' })).rejects.toMatchObject(
    apiErrorOf('mobileTaken'),
  );
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(1);
});

test('create accepts many users without e-mail or mobile number, and many with one external ID', async () => {
  const { client } = await startTestService();
  for (const user_name of ['ann', 'bob', 'cid']) await client.createUser({ user_name, external_id: 'same' });
  expect((await client.listUsers({ offset: 0, limit: 10 })).total).toBe(3);
});

test.each(['', null])('%j for pwd_must_modify means its default', async (pwd_must_modify) => {
  const { client, request } = await startTestService();
  const body = { user_name: 'ann', pwd: 'qwe123!@#', pwd_must_modify };
  expect((await request('POST', '/api/v2/tenant/users', { body })).status).toBe(200);
  expect(await client.logIn('ann', 'qwe123!@#', device)).toMatchObject({ status: 'PASSWORD_EXPIRED' });
});
