import { expect, test } from 'vitest';
import { findPath } from '../../../src/migration/source/json/read-json.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

const userOf = (name: string) => ({ user_name: name, algorithm: 'md5', hash: goodHashes.md5 });
const page = (names: string[], members: Record<string, unknown>) =>
  JSON.stringify({ ...members, users: names.map(userOf) }, null, 1);

test.each([
  ['Cognito', { PaginationToken: 'CAIS' }],
  ['the AWS CLI', { NextToken: 'eyJ' }],
  ['Firebase', { kind: 'x', nextPageToken: 'a\\"b' }],
  ['Auth0 by checkpoints', { next: 'fe26' }],
  ['Zendesk', { next_page: 'https://x.example/?page=2', previous_page: null }],
  ['Auth0', { start: 0, limit: 1, length: 1, total: 2 }],
  ['SCIM', { startIndex: 1, totalResults: 2 }],
  ['Spring', { page: { size: 1, totalElements: 2, number: 0 } }],
  ['HAL', { _links: { self: { href: '/users' }, next: { href: '/users?page=2', templated: true } } }],
  ['Zoho', { info: { per_page: 1, count: 1, page: 1, more_records: true } }],
  ['Stripe', { object: 'list', has_more: true }],
  ['an API that says more', { more: true }],
  ['GraphQL', { pageInfo: { hasNextPage: true, endCursor: 'x' } }],
  ['Zitadel', { details: { totalResult: '2', viewTimestamp: '2026-01-01T00:00:00Z' } }],
  ['an API with its cursor in an object', { meta: { cursors: { after: 'x', next: 'y' } } }],
])('a page of %s is rejected, whether its fields come before or after its users', async (_, members) => {
  const file = page(['ann'], members);
  await expect(runImport(file)).rejects.toThrow(
    /this is a part of a list: it (?:names a next page|says that there are 2 users, and has 1); .* jq -c '\.users\[\]'/,
  );
  await expect(runImport(JSON.stringify({ users: [userOf('ann')], ...members }))).rejects.toThrow(
    'a part of a list',
  );
});

test('all pages in one file are a complete list', async () => {
  const pages = [page(['ann'], { total: 3, next: 'b' }), page(['bob', 'cyd'], { total: 3, next: null })];
  const { sent } = await runImport(pages.join('\n'));
  expect(sent.map((user) => user.user_name).sort()).toEqual(['ann', 'bob', 'cyd']);
  const [first = ''] = pages;
  await expect(runImport(`${first}\n${first.replace('ann', 'bob')}`)).rejects.toThrow('it names a next page');
});

test('two lists of users in one value, such as all realms of Keycloak, are not mixed', async () => {
  const realms = [
    { realm: 'master', users: [userOf('admin')] },
    { realm: 'acme', users: [userOf('ann')] },
  ];
  const said =
    'it has two lists of users, and beside them "realm" differs, as in an export of several realms';
  await expect(runImport(JSON.stringify(realms))).rejects.toThrow(said);
  await expect(runImport(JSON.stringify(realms))).rejects.toThrow("jq -c '.[1].users[]'");
  const acme = realms.slice(1);
  expect((await runImport(JSON.stringify(acme))).sent).toMatchObject([{ user_name: 'ann' }]);
  // A list of the same name elsewhere is not one of users.
  const clients = [{ users: [userOf('ann')], groups: [{ users: [] }, { users: [] }] }];
  expect((await runImport(JSON.stringify(clients))).sent).toMatchObject([{ user_name: 'ann' }]);
});

test('a list of pages is one list of users', async () => {
  const pageOf = (name: string, members = {}) => ({ totalResults: 2, ...members, Resources: [userOf(name)] });
  const pages = [pageOf('ann'), pageOf('bob')];
  const { sent } = await runImport(JSON.stringify(pages), { concurrency: 1 });
  expect(sent.map((user) => user.user_name)).toEqual(['ann', 'bob']);
  await expect(runImport(JSON.stringify(pages.slice(1)))).rejects.toThrow('it says that there are 2 users');
  const others = [pageOf('ann', { id: 'a' }), pageOf('bob', { id: 'b' })];
  await expect(runImport(JSON.stringify(others))).rejects.toThrow('beside them "id" differs');
});

test.each([
  'tenant',
  'tenantId',
  'org_id',
  'organization',
  'domain',
  'realmId',
  'name',
  'id',
  'account',
  'habitat',
])('lists of users that differ in %s are not mixed, in one value or one after the other', async (member) => {
  const [a, b] = ['a', 'b'].map((owner) => ({ version: 2, [member]: owner, users: [userOf(owner)] }));
  const said = `beside them "${member}" differs`;
  await expect(runImport(JSON.stringify([a, b]))).rejects.toThrow(said);
  await expect(runImport(JSON.stringify([a, b]))).rejects.toThrow("jq -c '.[1].users[]'");
  const lines = `${JSON.stringify(a)}\n${JSON.stringify(b)}\n`;
  await expect(runImport(lines)).rejects.toThrow(said);
  await expect(runImport(lines)).rejects.toThrow("jq -c -s '.[1].users[]'");
});

test('pages of one realm are one list, whatever they say about themselves', async () => {
  const pageOf = (name: string, number: number) => ({
    ...{ realm: 'acme', id: 'acme', start: number, limit: 1, length: 1, total: 2, page: number, etag: name },
    ...{
      page_size: 1 + number,
      pageToken: name,
      nextPageToken: number === 0 ? 'x' : null,
      hasMore: number === 0,
    },
    ...{
      resultCount: 1 + number,
      pagedResultsCookie: number === 0 ? 'x' : null,
      remainingPagedResults: -number,
    },
    ...{
      totalPagedResultsPolicy: name,
      created_at: name,
      exportedAt: name,
      date: name,
      self: name,
      marker: name,
    },
    ...{
      after: name,
      before: name,
      startIndex: number,
      itemsPerPage: number,
      previous_page: name,
      timestamp: number,
      requestId: name,
    },
    users: [userOf(name)],
  });
  const pages = ['ann', 'bob'].map(pageOf);
  for (const file of [JSON.stringify(pages), pages.map((one) => JSON.stringify(one)).join('\n')]) {
    const { sent } = await runImport(file, { concurrency: 1 });
    expect(sent.map((user) => user.user_name)).toEqual(['ann', 'bob']);
  }
});

test('facts about a tenant in an object are compared like those beside the users, and facts about an answer are not', async () => {
  const pageOf = (name: string, tenant: string) => ({
    ...{ tenant: { id: tenant }, page: { number: name, totalElements: 2 }, _links: { self: { href: name } } },
    users: [userOf(name)],
  });
  await expect(runImport(JSON.stringify([pageOf('ann', 'a'), pageOf('bob', 'b')]))).rejects.toThrow(
    'it has two lists of users, and beside them "tenant.id" differs',
  );
  const { sent } = await runImport(JSON.stringify([pageOf('ann', 'a'), pageOf('bob', 'a')]));
  expect(sent).toHaveLength(2);
});

test.each([
  [
    'Zoho',
    (number: number) => ({ info: { per_page: 1, count: 1, page: number, more_records: number === 1 } }),
  ],
  [
    'Zitadel',
    (number: number) => ({
      details: { totalResult: '2', processedSequence: `${number}`, viewTimestamp: `2026-01-0${number}` },
    }),
  ],
])('pages of %s, whose facts about an answer are in an object, are one list', async (_, membersOf) => {
  const pages = ['ann', 'bob'].map((name, at) => ({ users: [userOf(name)], ...membersOf(at + 1) }));
  for (const file of [JSON.stringify(pages), pages.map((one) => JSON.stringify(one)).join('\n')])
    expect((await runImport(file)).sent).toHaveLength(2);
});

test.each([
  ['a list', { more: [userOf('bob')] }, 'the list more'],
  ['an object with a list', { archive: { deep: { users: [userOf('bob')] } } }, 'the list archive'],
  [
    'lists',
    { staff: [1, { a: 1 }, { b: 1 }], 'b@c.d': [[{}]], words: ['a', [1]], none: {} },
    'the list staff, a list',
  ],
])('objects beside the users in %s are named among what is not imported', async (_, members, lists) => {
  for (const file of [
    { users: [userOf('ann')], ...members },
    { ...members, users: [userOf('ann')] },
  ]) {
    const { sent, summary } = await runImport(JSON.stringify(file));
    expect(sent.map((user) => user.user_name)).toEqual(['ann']);
    expect(summary.ignored_columns).toEqual(lists.split(', '));
  }
});

test('a recipe names the lists that it does not read among the columns, but for those under ignore', async () => {
  const recipe = {
    fields: { user_name: { column: 'login' } },
    from: { format: 'json', records: 'users' },
  } as const;
  const file = JSON.stringify({ clients: [{ id: 1 }], groups: [{ id: 1 }], users: [{ login: 'ann' }] });
  const { summary } = await runImport(file, {
    recipe: { name: 'r', recipe: { ...recipe, ignore: ['groups'] } },
    allowPasswordless: true,
  });
  expect(summary.ignored_columns).toEqual(['the list clients']);
});

test('other fields beside the users do not mean that users are missing', async () => {
  const members = {
    realm: 'next',
    total: '',
    next: false,
    totalOther: 9,
    NextToken: '',
    next_cursor: 0,
    more: 'x',
    has_more: false,
    list: [{ total: 9 }],
    deep: { next: 'x' },
  };
  expect((await runImport(page(['ann'], members))).sent).toHaveLength(1);
  expect(
    (await runImport(JSON.stringify({ ...userOf('ann'), next: 'x', total: 5 }), { ignoreUnknown: true }))
      .sent,
  ).toHaveLength(1);
});

test('the list of users is found wherever a chunk ends', async () => {
  const text = '{"note":"\\"} \\\\","users":[{"id":1}]}';
  for (let at = 1; at < text.length; at += 1) {
    const chunks = [text.slice(0, at), text.slice(at)].map((part) => Buffer.from(part));
    const read = async function* () {
      yield* chunks;
    };
    expect([at, await findPath('users.json', read())]).toEqual([at, ['users']]);
  }
});
