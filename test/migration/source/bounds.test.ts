import { expect, test } from 'vitest';
import { goodHashes } from '../hashes.ts';
import { runImport } from '../run-import.ts';

/** A record as a line of JSON, with other members. */
const record = (others: string) =>
  `{"user_name":"ann","algorithm":"md5","hash":"${goodHashes.md5}","other":${others}}`;
const plain = record('1');
/** A record of so many levels. */
const nested = (levels: number) => record(`${'{"a":'.repeat(levels - 1)}1${'}'.repeat(levels - 1)}`);
/** A CSV file with so many columns. */
const wide = (columns: number) => {
  const others = columns - 3;
  const names = Array.from({ length: others }, (_, index) => `c${index}`);
  return `user_name,algorithm,hash,${names.join()}\nann,md5,${goodHashes.md5},${'v,'.repeat(others - 1)}v\n`;
};
/** A CSV file with a name of so many characters. */
const named = (length: number) =>
  `user_name,algorithm,hash,${'x'.repeat(length)}\nann,md5,${goodHashes.md5},1\n`;
const long = 'x'.repeat(1001);

test.each<[string, string, RegExp]>([
  ['levels in the first record', nested(101), /line 1: more than 100 lists and objects are nested/],
  ['levels in another record', `${plain}\n${nested(101)}`, /line 2: more than 100 lists/],
  ['lists around the records', `${'['.repeat(100)}${plain}`, /line 1: more than 100 lists/],
  [
    'levels beside the records',
    `{"users":[${plain}],\n"other":${'{"a":'.repeat(100)}`,
    /line 2: more than 100 lists/,
  ],
  [
    'brackets that are not closed',
    `${plain}\n${'{"user_name":"ann","x":{"b":1\n'.repeat(60)}`,
    /line 52: more than 100 lists/,
  ],
  ['columns', wide(16_385), /line 1: the header has more than 16384 columns/],
  ['characters in a name', named(1001), /line 1: the name of a column has more than 1000 characters/],
  ['characters in a JSON name', `${plain}\n${record(`{"${long}":1}`)}`, /line 2: the name of a column/],
  [
    'characters in a JSON path to nothing',
    `${plain}\n${record(`{"${long}":{"a":{}}}`)}`,
    /line 2: the name of a column/,
  ],
  [
    'characters in a name beside the records',
    `{"users":[${plain}],\n"${long}":1}`,
    /line 2: the name of a column/,
  ],
  ['characters in an LDIF name', `dn: uid=ann\nuid: ann\n${long}: 1\n`, /line 1: the name of a column/],
])('a file with too many %s is refused with its line', async (_, content, refusal) => {
  await expect(runImport(content, { ignoreUnknown: true })).rejects.toThrow(refusal);
});

test.each<[string, string]>([
  ['levels', nested(100)],
  ['characters in a name', named(1000)],
])('as many %s as a file may have are read', async (_, content) => {
  const { sent } = await runImport(content, { ignoreUnknown: true });
  expect(sent).toMatchObject([{ user_name: 'ann' }]);
});
