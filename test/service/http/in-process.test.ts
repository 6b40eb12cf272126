import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attributeNames } from '../../../src/contract/attributes.ts';
import type { Reply, Request } from '../../../src/contract/exchange.ts';
import { openService } from '../../../src/service/open-service.ts';
import { preparedKeyPair } from '../../prepared-keys.ts';
import { application } from '../../test-service.ts';
import { anyCharacter } from '../../text/any-character.ts';
import { errorReply } from '../api-errors.ts';
import { testDatabase } from '../storage/test-database.ts';
import { form, json, openBoth, tokenBody, users } from './open-both.ts';

/** A value, and the JSON that it is over HTTP. */
function bodyOf(value: unknown): Pick<Request, 'body' | 'value'> {
  return { body: () => JSON.stringify(value), value };
}

/**
 * Makes two answers to the same request comparable: without ids, times, secrets, and what belongs to the connection.
 */
function comparable({ status, headers, text }: Reply) {
  const { date, 'x-request-id': id, connection, 'keep-alive': keptAlive, ...rest } = headers;
  expect(new Date(String(date)).getTime()).toBeGreaterThan(0);
  expect(String(id)).toMatch(/^[\w-]+$/);
  expect([connection, keptAlive].every((value) => value === undefined || typeof value === 'string')).toBe(
    true,
  );
  const body = text
    .replaceAll(/\d{17}-[0-9A-F]{4}-[0-9A-F]{9}/g, 'USER_ID')
    .replaceAll(/"user_[0-9a-z]{10}"/g, '"USER_NAME"')
    .replaceAll(/"access_token":"[^"]+"/g, '"access_token":"TOKEN"')
    .replaceAll(/"id_token":"[^"]+"/g, '"id_token":"TOKEN"')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-][\d:]+)?/g, 'TIME');
  return { status, headers: rest, body };
}

test('a request is answered in the process as it is over HTTP', async () => {
  const { direct, overHttp, bearer } = await openBoth();
  const long = 'x'.repeat(6 * 1024 * 1024);
  const values = [
    ...[{}, [], 'text', true, 1, null, new Date(0), { name: { a: { b: 'c' } } }],
    ...[{ name: 'x'.repeat(20_000) }, { name: '字'.repeat(6000) }, { name: long }, { name: '\u0001' }],
    ...[{ name: '\ud800' }, { name: 1 }, { name: new Date(0) }, { name: undefined }, { name: null }],
    ...[{ pwd_must_modify: 'true' }, { extension: 'x' }, { extension: { none: 'x' } }, { other: 'x' }],
    ...[JSON.parse('{"__proto__":"x","name":"y"}'), { extension: { toJSON: () => 'x' } }],
  ];
  const requests: Request[] = [
    { method: 'POST', path: '/api/v2/tenant/token', headers: form, body: () => tokenBody },
    {
      method: 'POST',
      path: '/api/v2/tenant/token',
      headers: form,
      body: () => 'grant_type=client_credentials',
    },
    { method: 'POST', path: '/api/v2/tenant/token', headers: json },
    { method: 'GET', path: `${users}?offset=0&limit=10`, headers: bearer },
    { method: 'GET', path: `${users}?offset=0&limit=9`, headers: bearer },
    { method: 'GET', path: `${users}?offset=0&limit=10`, headers: json },
    { method: 'GET', path: `${users}/%E7%8E%8B`, headers: bearer },
    { method: 'GET', path: `${users}/%zz`, headers: bearer },
    { method: 'GET', path: '/nowhere', headers: bearer },
    { method: 'PUT', path: '/api/v2/tenant/token', headers: bearer },
    { method: 'POST', path: users, headers: bearer, body: () => '{"user_name":' },
    { method: 'POST', path: users, headers: bearer, body: () => '[]' },
    { method: 'POST', path: users, headers: bearer },
    { method: 'POST', path: users, headers: { ...bearer, 'content-type': 'text/plain' }, body: () => 'x' },
    { method: 'POST', path: users, headers: bearer, body: () => JSON.stringify({ name: long }) },
    { method: 'PUT', path: `${users}/20260101000000000-0000-000000000/disabled`, headers: bearer },
    ...values.map((value) => ({ method: 'POST', path: users, headers: bearer, ...bodyOf(value) })),
  ];
  for (const request of requests) {
    const [one, other] = [comparable(await direct(request)), comparable(await overHttp(request))];
    expect(one, `${request.method} ${request.path}`).toEqual(other);
  }
});

/** Single surrogates, and characters that parsers and terminals handle in a special way. */
const awkward = fc.constantFrom('\ud800', '\udfff', '\0', '\u2028', '\ufeff', '"', '\\', '');
const anyText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }) },
  { weight: 2, arbitrary: fc.array(awkward, { maxLength: 4 }).map((parts) => parts.join('')) },
  // Lengths close to the limit of a value, and close to the largest body.
  fc.integer({ min: 2600, max: 2800 }).map((length) => 'x'.repeat(length)),
  fc.integer({ min: 16_300, max: 16_400 }).map((length) => 'x'.repeat(length)),
);
const anyField = fc.oneof(
  fc.constantFrom(...attributeNames),
  fc.constantFrom('pwd', 'pwd_must_modify', 'hash-pwd', 'extension', 'age', 'algorithm', 'value', 'key'),
  fc.constantFrom('__proto__', 'constructor', 'hasOwnProperty', 'toJSON', '0'),
  anyText,
);
/** Values that a caller in this process could pass, and that JSON leaves out, changes or cannot tell apart. */
const onlyHere = fc.constantFrom(
  ...[undefined, Number.NaN, Infinity, -0, 2 ** 53, Symbol('s'), () => 'f', new Date(0), /x/],
  ...[new Date(Number.NaN), Object('boxed'), Object(true), new Map([['a', 'b']]), { toJSON: () => 'made' }],
);
const { object: anyObject } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: anyText },
    fc.boolean(),
    fc.constant(null),
    fc.double(),
    onlyHere,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
    // Depths below and above the limit of a body.
    fc
      .integer({ min: 28, max: 34 })
      .map((levels) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)),
  ),
  // Own fields, whatever their names: an assignment to `__proto__` would set the prototype.
  object: fc
    .array(fc.tuple(anyField, tie('value')), { maxLength: 6 })
    .map((fields) => Object.fromEntries(fields)),
}));

/** Most bodies of many fields are rejected, and then nothing shows what became of the other fields. */
const body = fc.oneof(
  anyObject,
  fc
    .record({
      name: fc.constantFrom(...attributeNames, 'pwd', 'pwd_must_modify', 'extension'),
      value: onlyHere,
    })
    .map(({ name, value }) => ({ [name]: value })),
);

/** Makes every change of the value fail. */
function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}

test('a value has the same outcome in the process as its JSON has over HTTP, and is not changed', async () => {
  // Each way has its own tenant with the same users: a user created in one way would exist already for the other.
  const [one, other] = [await openBoth(), await openBoth()];
  const same = async (method: string, path: string, value?: unknown) => {
    const body = value === undefined ? {} : bodyOf(value);
    const inside = await one.direct({ method, path, headers: one.bearer, ...body });
    const outside = await other.overHttp({ method, path, headers: other.bearer, ...body });
    expect(comparable(inside)).toEqual(comparable(outside));
    return inside.status;
  };
  const statuses = new Set<number>();
  const ways = fc.constantFrom(
    ['POST', users],
    ['POST', `${users}/import-hash-pwd`],
    ['PUT', `${users}/0`],
    ['PUT', `${users}/0/change-password`],
  );
  const asked = fc.asyncProperty(ways, body, async ([method = '', path = ''], value) => {
    freeze(value);
    statuses.add(await same(method, path, value));
  });
  await fc.assert(asked, { numRuns: 300 });
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400]));
  await same('GET', `${users}?offset=0&limit=100`);
});

test('a user who is created in the process is found over HTTP with exactly the same values', async () => {
  const { direct, overHttp, bearer } = await openBoth();
  const user = { user_name: 'wang', name: '王静 – ß 😀', email: 'wang@example.org' };
  const created = await direct({ method: 'POST', path: users, headers: bearer, ...bodyOf(user) });
  expect(created.status).toBe(200);
  const { user_id } = JSON.parse(created.text);
  const get = { method: 'GET', path: `${users}/${user_id}`, headers: bearer };
  const [one, other] = [await direct(get), await overHttp(get)];
  expect(JSON.parse(one.text)).toMatchObject(user);
  expect(one.text).toBe(other.text);
});

test('a page with a large user, which is sent in parts, is the same text both ways', async () => {
  const { direct, overHttp, bearer } = await openBoth();
  const user = { user_name: 'wang', name: '王静', head_img: `data:image/png;base64,${'A'.repeat(70_000)}` };
  await direct({ method: 'POST', path: users, headers: bearer, ...bodyOf(user) });
  const list = { method: 'GET', path: `${users}?offset=0&limit=10`, headers: bearer };
  const [one, other] = [await direct(list), await overHttp(list)];
  expect(JSON.parse(one.text)).toMatchObject({ total: 1, users: [user] });
  expect(one.text).toBe(other.text);
});

test.each([30_000, 70_000])(
  'an answer that is too long, with a picture of %d bytes, is given up',
  async (size) => {
    const { answer, bearer, direct } = await openBoth();
    const user = { user_name: 'wang', head_img: `data:image/png;base64,${'A'.repeat(size)}` };
    await direct({ method: 'POST', path: users, headers: bearer, ...bodyOf(user) });
    const answers: (Reply | undefined)[] = [];
    const list = {
      method: 'GET',
      path: `${users}?offset=0&limit=10`,
      headers: { host: 'localhost', ...bearer },
    };
    for (const longest of [size, 2 * size]) {
      answer(list, (reply) => answers.push(reply), longest);
      await expect.poll(() => answers.length).toBe(longest / size);
    }
    expect(answers.map((reply) => reply?.status)).toEqual([undefined, 200]);
  },
);

test('an id in a path may be longer than the headers of a request over HTTP', async () => {
  const { direct, bearer } = await openBoth();
  const { status, text } = await direct({
    method: 'GET',
    path: `${users}/${'x'.repeat(20_000)}`,
    headers: bearer,
  });
  expect({ status, body: JSON.parse(text) }).toEqual(errorReply('userNotFound'));
});

test('a service that closes finishes the calls made in the process', async () => {
  const { app, answer, close } = await openService({
    database: await testDatabase(),
    application,
    makeKeyPair: preparedKeyPair,
  });
  const answers: Reply[] = [];
  const ask = (body: string) =>
    answer(
      { method: 'POST', path: '/api/v2/tenant/token', headers: form, body: () => body },
      (reply) => reply && answers.push(reply),
      2 ** 26,
    );
  for (let count = 0; count < 5; count += 1) ask(tokenBody);
  await close();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(app.server.listening).toBe(false);
  ask(tokenBody);
  await expect.poll(() => answers.length).toBe(6);
  expect(answers[5]?.status).toBe(503);
});
