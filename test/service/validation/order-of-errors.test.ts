import { expect, test } from 'vitest';
import { startTestService } from '../../test-service.ts';
import { errorReply } from '../api-errors.ts';
import { writeCalls } from './write-calls.ts';

/** Faults in the order of their errors (decision 26): when the first is corrected, the next error follows. */
const faults: [Parameters<typeof errorReply>, object, object][] = [
  [['userNameInvalid'], { user_name: 'a b' }, { user_name: 'taken' }],
  [['nameInvalid'], { name: 5 }, { name: 'Ann' }],
  [['areaCodeNotPermitted'], { mobile: '+49-1' }, { mobile: '15200000000' }],
  [['emailInvalid'], { email: 'ann' }, { email: 'taken@example.com' }],
  [['genderInvalid'], { attr_gender: 'm' }, { attr_gender: 'male' }],
  [['birthdayInvalid'], { attr_birthday: 'x' }, { attr_birthday: '2000-01-01' }],
  [['nickNameInvalid'], { attr_nick_name: 5 }, { attr_nick_name: '' }],
  [['mailingAddressInvalid'], { mailing_address: 5 }, { mailing_address: '' }],
  [['zipCodeInvalid'], { zip_code: 5 }, { zip_code: '' }],
  [['firstNameInvalid'], { first_name: 5 }, { first_name: '' }],
  [['middleNameInvalid'], { middle_name: 5 }, { middle_name: '' }],
  [['lastNameInvalid'], { last_name: 5 }, { last_name: '' }],
  [['industryInvalid'], { industry: 5 }, { industry: '' }],
  [['externalIdInvalid'], { external_id: 5 }, { external_id: '' }],
  [['extensionInvalid', 'Age'], { extension: { age: 'old' } }, { extension: {} }],
  [['algorithmNotSupported'], { 'hash-pwd': { algorithm: 'sha1', value: 'x' } }, {}],
  [['hashKeyEmpty'], { 'hash-pwd': { algorithm: 'hmacsha256_base64_key', value: 'x' } }, { 'hash-pwd': {} }],
  [['userNameTaken'], {}, { user_name: 'free' }],
  [['mobileTaken'], {}, { mobile: '15200000001' }],
  [['emailTaken'], {}, { email: 'free@example.com' }],
];

const notTold: Record<keyof typeof writeCalls, string[]> = {
  createUser: ['algorithmNotSupported', 'hashKeyEmpty'],
  importHashedUser: [],
  updateUser: ['algorithmNotSupported', 'hashKeyEmpty', 'externalIdInvalid'],
};

test.each(Object.entries(notTold))(
  '%s returns one error at a time, in the order of the codes',
  async (name, never) => {
    const service = await startTestService();
    const taken = { user_name: 'TAKEN', email: 'TAKEN@example.com', mobile: '+86-15200000000' };
    await service.client.createUser(taken);
    const call = writeCalls[name as keyof typeof writeCalls];

    let body = Object.assign({}, ...faults.map(([, bad]) => bad));
    for (const [[refusal, ...values], bad, good] of faults) {
      body = { ...body, ...bad };
      if (!never.includes(refusal)) {
        expect(await call(service, body)).toMatchObject(errorReply(refusal, ...values));
      }
      body = { ...body, ...good };
    }
    expect(await call(service, body)).toMatchObject({ status: 200 });
  },
);

test('an empty name comes before every broken rule', async () => {
  const service = await startTestService();
  const body = { user_name: '', name: 5, email: 'ann', extension: { age: 'old' } };
  expect(await writeCalls.updateUser(service, body)).toMatchObject(errorReply('userNameEmpty'));
});

test('a body that is not an object is reported before wrong values, an unknown user after them', async () => {
  const { request } = await startTestService();
  const path = '/api/v2/tenant/users/nobody';
  expect(await request('PUT', path, { body: [] })).toMatchObject(
    errorReply('requestInvalid', 'the body must be a JSON object'),
  );
  expect(await request('PUT', path, { body: { email: 'ann' } })).toMatchObject(errorReply('emailInvalid'));
  expect(await request('PUT', path, { body: { email: 'a@b' } })).toMatchObject(errorReply('userNotFound'));
});

test('of several faulty extension attributes, the first of the definition is named, whatever the order of the request', async () => {
  const { request } = await startTestService();
  for (const extension of [
    { joined_on: 'x', age: 'old' },
    { none: 'x', joined_on: 'x', age: 'old' },
  ])
    expect(await request('POST', '/api/v2/tenant/users', { body: { extension } })).toMatchObject(
      errorReply('extensionInvalid', 'Age'),
    );
});
