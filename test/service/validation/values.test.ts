import { expect, test } from 'vitest';
import { attributeNames, attributes } from '../../../src/contract/attributes.ts';
import type { NewUser } from '../../../src/contract/wire.ts';
import { startTestService } from '../../test-service.ts';
import { apiErrorOf, errorReply } from '../api-errors.ts';
import { writeCalls } from './write-calls.ts';

const coded = attributeNames.filter((name) => name !== 'head_img');
const calls = Object.entries(writeCalls);

test.each(coded)('%s of another JSON type is rejected, and nothing is converted', async (name) => {
  const service = await startTestService();
  for (const [operation, call] of calls) {
    if (operation === 'updateUser' && !attributes[name].updatable) continue;
    for (const value of [5, 0, true, false, [], {}, ['text']]) {
      expect(await call(service, { [name]: value })).toMatchObject(errorReply(attributes[name].invalid));
    }
  }
});

test.each(coded)('%s is rejected with control characters and single surrogates', async (name) => {
  const service = await startTestService();
  const line = name === 'mailing_address' ? [] : ['a\nb@c', 'a\tb@c'];
  for (const value of ['a\u0000b@c', 'a\u000bb@c', 'a\u007fb@c', 'a\u0085b@c', 'a\ud800b@c', ...line]) {
    expect(await writeCalls.createUser(service, { [name]: value })).toMatchObject(
      errorReply(attributes[name].invalid),
    );
  }
});

test('mailing_address accepts line breaks and tabs, and returns them', async () => {
  const service = await startTestService();
  const mailing_address = 'Road 1\r\n\tFlat 2\nTown';
  const { user_id } = await service.client.createUser({ mailing_address });
  expect(await service.client.getUser(user_id)).toMatchObject({ mailing_address });
});

/** The longest values that are accepted, in characters (decision 25a). */
const longest: [keyof NewUser, number][] = [
  ['user_name', 100],
  ['name', 100],
  ['attr_nick_name', 100],
  ['mailing_address', 255],
  ['zip_code', 20],
  ['first_name', 100],
  ['middle_name', 100],
  ['last_name', 100],
  ['industry', 100],
  ['external_id', 255],
];

test.each(longest)('%s has at most %i characters, whatever their number of bytes', async (name, length) => {
  const service = await startTestService();
  for (const letter of ['x', '字', '🔑']) {
    const accepted = await service.client.createUser({ [name]: letter.repeat(length) });
    expect(await service.client.getUser(accepted.user_id)).toMatchObject({ [name]: letter.repeat(length) });
    const tooLong = service.client.createUser({ [name]: letter.repeat(length + 1) });
    const { invalid } = attributes[name as (typeof coded)[number]];
    await expect(tooLong).rejects.toMatchObject(apiErrorOf(invalid));
  }
});

test.each<[keyof NewUser, string[]]>([
  ['user_name', ['a', 'ann@example.com', '张三', '15200000000', '<b>']],
  ['email', ['a@b', 'ann+x@sub.example.com', '张三@例子.中国', `${'a'.repeat(252)}@b`]],
  ['attr_gender', ['unknow', 'male', 'female']],
  ['attr_birthday', ['2024-02-29', '1900-01-01']],
  [
    'head_img',
    [
      'http://x',
      'HTTPS://x/y.png',
      'data:image/svg+xml;base64,AA==',
      `data:image/png;base64,${'A'.repeat(1e6)}`,
    ],
  ],
])('%s accepts valid values', async (name, values) => {
  const { client } = await startTestService();
  for (const value of values) {
    const { user_id } = await client.createUser({ [name]: value });
    expect(await client.getUser(user_id)).toMatchObject({ [name]: value });
  }
});

test.each<[(typeof coded)[number], string[]]>([
  ['user_name', [' ', 'a b', 'a\u00a0b', 'ann ']],
  ['email', ['ann', '@', 'a@', '@b', 'a b@c', 'a@b@c', ' a@b', 'a@b ', `${'a'.repeat(253)}@b`]],
  ['mobile', ['12345', 'ann', '+86', '86-', '152 0000 0000', '86-12000000000']],
  ['attr_gender', ['unknown', 'Male', 'm', ' male']],
  ['attr_birthday', ['2023-02-29', '2022-2-17', '17.02.2022', '2022-02-17 00:00:00', 'today']],
])('%s rejects invalid values in every call', async (name, values) => {
  const service = await startTestService();
  for (const [, call] of calls) {
    for (const value of values) {
      expect(await call(service, { [name]: value })).toMatchObject(errorReply(attributes[name].invalid));
    }
  }
});

test('an area code that the tenant does not permit has its own code', async () => {
  const service = await startTestService();
  for (const [, call] of calls) {
    expect(await call(service, { mobile: '+49-15112345678' })).toMatchObject(
      errorReply('areaCodeNotPermitted'),
    );
  }
});

test('the error about head_img, which has no code in the specification, names it', async () => {
  const service = await startTestService();
  const bad = [
    'ftp://x',
    'x.png',
    'http://',
    'http://a b',
    'data:text/html;base64,AA',
    'data:image/png,AA',
    5,
    {},
  ];
  const hidden = ['http://a\u0000b', 'http://a\u001b[2Jb', 'http://a\ud800b', 'data:image/png;base64,\u0007'];
  for (const value of [...bad, ...hidden]) {
    for (const [, call] of calls) {
      expect(await call(service, { head_img: value })).toMatchObject(
        errorReply('requestInvalid', 'head_img'),
      );
    }
  }
});

test.each<[object, string]>([
  [{ shoe_size: '42' }, 'shoe_size'],
  [{ shoe_size: '' }, 'shoe_size'],
  [{ Age: '42' }, 'Age'],
  [{ age: 42 }, 'Age'],
  [{ age: true }, 'Age'],
  [{ age: ['42'] }, 'Age'],
  [{ age: 'old' }, 'Age'],
  [{ age: '1234' }, 'Age'],
  [{ joined_on: '2023-02-29' }, 'Joined on'],
  [{ joined_on: 'today' }, 'Joined on'],
  [{ age: '42', joined_on: '', toString: 'x' }, 'toString'],
])('the extension %j is rejected, and the error names %s', async (extension, named) => {
  const service = await startTestService();
  for (const [, call] of calls) {
    expect(await call(service, { extension })).toMatchObject(errorReply('extensionInvalid', named));
  }
});
