import { expect, test } from 'vitest';
import { isUnencrypted } from '../../src/text/database-location.ts';

test.each([
  ['local.db', {}, false],
  ['postgres://ann@localhost/db', {}, false],
  ['postgres://ann@127.0.0.1:5433/db', {}, false],
  ['postgres://ann@[::1]/db', {}, false],
  ['postgres:///db?host=/run/postgresql', {}, false],
  ['postgres://ann@%2Frun%2Fpostgresql/db', {}, false],
  ['postgres:///db', {}, false],
  ['postgres:///db', { PGHOST: 'db.example.com' }, true],
  ['postgres://ann@db.example.com/db', {}, true],
  ['postgresql://ann@10.0.0.7/db?sslmode=disable', {}, true],
  ['postgresql://ann@10.0.0.7/db?sslmode=prefer', {}, true],
  ['postgres://ann@db.example.com/db?sslmode=verify-full', {}, false],
  ['postgres://ann@db.example.com/db', { PGSSLMODE: 'require' }, false],
])('%s with %j: is the connection unencrypted? %s', (address, env, expected) => {
  expect(isUnencrypted(address, env)).toBe(expected);
});
