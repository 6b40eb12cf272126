import { expect, test } from 'vitest';
import { journalVersion, schema } from '../../../../src/migration/journal/database/tables.ts';
import { sha256 } from '../../../../src/migration/model/digests.ts';

test('a change of the tables needs a new version number, since a journal of the old version would be reported as damaged', () => {
  const tables = sha256(schema).slice(0, 16);
  expect({ version: journalVersion, tables }).toEqual({ version: 7, tables: '9f57d53dea2f8609' });
});
