import { expect, test } from 'vitest';
import { hideColumns } from '../../../src/cli/mcp/hide-values.ts';

test('names of columns that are not read are hidden in each list: in a file without a header they are values', () => {
  const lists = ['ignored_columns', 'salt_columns', 'status_columns'];
  const printed = Object.fromEntries(lists.map((name) => [name, ['ann@example.com']]));
  expect(hideColumns({ rows: 1, ...printed })).toEqual({
    rows: 1,
    ...Object.fromEntries(lists.map((name) => [name, ['[hidden]']])),
  });
});
