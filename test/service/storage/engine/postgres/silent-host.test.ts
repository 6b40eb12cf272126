import { expect, onTestFinished, test } from 'vitest';
import type { Statement } from '../../../../../src/service/storage/engine/database.ts';
import { openPostgres } from '../../../../../src/service/storage/engine/postgres/postgres.ts';
import { define, temporaryDatabase } from '../../temporary-database.ts';
import { startSilentHost } from './silent-host.ts';

const numbersOfThings = 'SELECT number FROM things ORDER BY number';

/** Opens a database over a host that falls silent when all connections are open. */
async function openSilenced(poolSize: number) {
  const url = await temporaryDatabase();
  await define(url, 'CREATE TABLE things (number BIGINT NOT NULL PRIMARY KEY)');
  const { location, fallSilent } = await startSilentHost(url);
  const database = await openPostgres(`${location}?connect_timeout=0.3&answer_timeout=0.3`, { poolSize });
  onTestFinished(() => database.close());
  const numbers = () => database.query(numbersOfThings, []);
  await Promise.all([database.commit([add(1)]), ...Array.from({ length: 16 * poolSize }, numbers)]);
  fallSilent();
  return { url, database, numbers };
}

function add(number: number): Statement {
  return { sql: 'INSERT INTO things (number) VALUES (?)', values: [number] };
}

test('after a host fell silent, a commit that it did not begin is carried out on the next host', async () => {
  const { url, database } = await openSilenced(1);
  expect(await database.commit([add(2)])).toBe(true);
  const direct = await openPostgres(url);
  onTestFinished(() => direct.close());
  expect(await direct.query(numbersOfThings, [])).toEqual([{ number: 1 }, { number: 2 }]);
});

test('queries that a silent host does not answer fail in time and give their connections back', async () => {
  const { numbers } = await openSilenced(2);
  const lost = await Promise.allSettled(Array.from({ length: 32 }, numbers));
  expect(lost).toHaveLength(32);
  expect(lost[0]).toMatchObject({
    reason: { code: 'NO_ANSWER', message: 'the database did not answer within 0.3 seconds' },
  });
  expect(lost.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  const found = await Promise.all(Array.from({ length: 32 }, numbers));
  expect(found).toEqual(found.map(() => [{ number: 1 }]));
});
