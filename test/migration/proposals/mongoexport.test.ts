import { expect, test } from 'vitest';
import { noticesOf } from '../../../src/migration/report/texts/notices.ts';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';
import { making } from './making.ts';

/** People as mongoexport writes them, in its relaxed and in its canonical form. */
const people = [
  { login: 'ann' },
  { login: 'bob', deletedAt: { $date: '2024-05-01T00:00:00Z' } },
  { login: 'cyd', bannedUntil: { $date: { $numberLong: '32503680000000' } } },
  { login: 'dan', bannedUntil: { $date: { $numberLong: '981173106000' } } },
  { login: 'eve', bannedUntil: { $date: 981173106000 }, lockedAt: null },
].map((person, index) => ({
  _id: { $oid: `5dea9f9c82dd7c0e76e4ec9${index}` },
  pw: goodHashes.bcrypt,
  ...person,
}));
const content = people.map((person) => JSON.stringify(person)).join('\n');

test('the columns of an export of MongoDB are recognised without the types after their names', async () => {
  const { recipe, open } = await making(content);
  expect(recipe.fields).toMatchObject({
    user_name: { column: 'login' },
    external_id: { column: '_id.$oid', text: true },
  });
  expect(open).toEqual([
    expect.stringContaining('deletedAt.$date may say who is disabled'),
    expect.stringMatching(
      /^bannedUntil.\$date may say who is disabled \(.*\): add \{ column: 'bannedUntil\.\$date', not_past: true \}/,
    ),
  ]);
});

test('columns of times of MongoDB that are ignored are named, and there is a warning', async () => {
  const map = [
    { column: 'login', field: 'user_name' },
    { column: 'pw', field: 'hash' },
  ];
  const { summary } = await runImport(content, { map, ignoreUnknown: true, algorithm: 'infer' });
  expect(summary.ignored_columns).toEqual(['_id.$oid', 'deletedAt.$date', 'bannedUntil.$date']);
  const warned = noticesOf(summary).flatMap(({ text, isWarning }) => (isWarning ? [text] : []));
  expect(warned).toContainEqual(
    expect.stringMatching(/^deletedAt\.\$date and bannedUntil\.\$date look like a status/),
  );
});

test('conditions read the times of MongoDB, however they are written', async () => {
  const { recipe } = await making(content, {
    'status deletedAt.$date': ['filled'],
    'status bannedUntil.$date': ['not_past'],
  });
  const made = { name: 'made', recipe };
  const { sent, failures } = await runImport(content, { recipe: made, concurrency: 1 });
  expect(failures).toEqual([]);
  expect(sent.map((user) => user.user_name)).toEqual(['ann', 'dan', 'eve']);
});
