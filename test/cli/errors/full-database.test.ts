import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { describeError } from '../../../src/cli/errors/describe-error.ts';

test('a disk that is full is no defect of the program, also if a database meets it', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE t (text); PRAGMA max_page_count = 2');
  let failure: unknown;
  try {
    database.prepare('INSERT INTO t VALUES (?)').run('x'.repeat(100_000));
  } catch (error) {
    failure = error;
  }
  expect(failure).toMatchObject({ message: 'database or disk is full' });
  expect(describeError(failure)).toMatchObject({
    exitCode: 3,
    message: 'a file cannot be used: no space is left on the disk',
    hint: 'Free some space, then run the command again.',
  });
});
