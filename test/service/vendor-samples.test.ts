import { expect, test } from 'vitest';
import { startTestService } from '../test-service.ts';

/** Bodies from the vendor's public pages; all of them succeed with the default tenant. */
const zhangsan = {
  user_name: 'zhangsan',
  name: '张三',
  mobile: '+86-15200000000',
  email: '15200000000@qq.com',
  pwd: 'qwe123!@#',
  pwd_must_modify: false,
  attr_gender: 'male',
  attr_birthday: '2022-02-17',
  attr_nick_name: '',
  mailing_address: '',
  zip_code: '',
  first_name: '',
  middle_name: '',
  last_name: '',
  industry: '事业单位',
  external_id: '0123456789abcdef0123456789abcdef012',
  head_img: 'data:image/jpeg;base64,.......',
};

const stamp = Date.UTC(2022, 0, 26, 3, 38, 57, 263);

test('the sample user can be created, and is then found with all attributes except the password', async () => {
  const { client, request } = await startTestService({ now: () => stamp });
  const reply = await request<{ user_id: string }>('POST', '/api/v2/tenant/users', { body: zhangsan });
  expect(reply).toMatchObject({
    status: 200,
    body: { user_id: expect.stringMatching(/^20220126033857263-[0-9A-F]{4}-[0-9A-F]{9}$/) },
  });
  expect(await client.getUserByUserName('zhangsan')).toEqual({
    user_id: reply.body.user_id,
    user_name: 'zhangsan',
    name: '张三',
    mobile: '+86-15200000000',
    email: '15200000000@qq.com',
    attr_gender: 'male',
    attr_birthday: '2022-02-17',
    industry: '事业单位',
    external_id: '0123456789abcdef0123456789abcdef012',
    head_img: 'data:image/jpeg;base64,.......',
    created_at: '2022-01-26 03:38:57',
    updated_at: '2022-01-26 03:38:57',
    pwd_change_at: '2022-01-26 03:38:57',
    disabled: false,
    usr_auth_times: '0',
  });
});

test('the md5 sample, whose value has 31 characters, can be imported', async () => {
  const { request } = await startTestService();
  const body = {
    ...zhangsan,
    pwd: undefined,
    'hash-pwd': { algorithm: 'md5', value: 'qaMqvAPULkbiQzkTCWo5XDcvzpk8Tna', key: '', salt: '' },
  };
  const reply = await request('POST', '/api/v2/tenant/users/import-hash-pwd', { body });
  expect(reply).toMatchObject({ status: 200, body: { user_id: expect.any(String) } });
});

test('the sample user is found by the number without area code, which is returned as it was given', async () => {
  const { client } = await startTestService();
  const { user_id } = await client.createUser({ user_name: 'zhangsan', mobile: '+86-15200000000' });
  expect(await client.getUserByMobile('15200000000')).toMatchObject({ user_id, mobile: '+86-15200000000' });
});

test('the sample password opens a session', async () => {
  const { client, request } = await startTestService();
  await request('POST', '/api/v2/tenant/users', { body: zhangsan });
  const device = { device_fingerprint: 'f', device_ip: '10.0.0.1', operating_sys_version: 'Windows 10' };
  for (const login of ['zhangsan', '15200000000', '15200000000@qq.com']) {
    expect(await client.logIn(login, 'qwe123!@#', device)).toMatchObject({ status: 'SUCCESS' });
  }
});
