import { expect, test } from 'vitest';
import {
  hasPassword,
  isUnencrypted,
  refusedLocation,
  shownDatabase,
} from '../../../src/text/locations/database-location.ts';

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
  ['postgres://ann@db.example.com/db?ssl=true', {}, false],
  ['postgres://ann@db.example.com/db?ssl=false', {}, true],
  ['postgres://ann@db.example.com/db?ssl=0', { PGSSLMODE: 'require' }, true],
  ['postgres://ann@db.example.com/db?ssl=true&sslmode=disable', {}, true],
  ['postgres://ann@localhost:1,db.example.com:2/db', {}, true],
  ['POSTGRES://ann@db.example.com/db', {}, true],
])('%s with %j: whether the connection is unencrypted is %s', (address, env, expected) => {
  expect(isUnencrypted(address, env)).toBe(expected);
});

test.each([
  ['mysql://ann@h/d', 'mysql:// begins no address of a database that can be opened', /SQLite file/],
  ['MONGODB+SRV://h/d', 'mongodb+srv:// begins no address of a database that can be opened', /SQLite file/],
  ['redis://h:6379', 'redis:// begins no address of a database that can be opened', /SQLite file/],
  [
    'jdbc:postgresql://h/d',
    'jdbc: begins no address of a database that can be opened',
    /also for what speaks/,
  ],
  ['http://h/d', 'http:// begins no address of a database that can be opened', /postgres:/],
  [
    'cockroachdb://root@h:26257/d',
    'cockroachdb:// begins no address of a database that can be opened',
    /also for/,
  ],
  [
    'postgresql+psycopg://h/d',
    'postgresql+psycopg:// begins no address of a database that can be opened',
    /also/,
  ],
  [
    'sqlite:///tmp/a.db',
    'sqlite:// begins no address of a database that can be opened',
    /Name the file itself/,
  ],
  ['file:a.db', 'file: begins no address of a database that can be opened', /Name the file itself/],
  [
    'postgres:/u:hunter2@h/d',
    'postgres: begins no address of a database that can be opened',
    /postgres:..user@host/,
  ],
  ['PostgreSQL:u:hunter2', 'postgresql: begins no address of a database that can be opened', /postgres:/],
  [
    'Server=h;Database=d;Password=hunter2',
    'the database is given as words with =, which is not supported',
    /postgres:/,
  ],
  ['Data Source=h', 'the database is given as words with =, which is not supported', /postgres:/],
  ['password=hunter2 host=h', 'the database is given as words with =, which is not supported', /postgres:/],
  ['host=127.0.0.1 dbname=x', 'the database is given as words with =, which is not supported', /postgres:/],
])('%s is not the address of a database that can be opened', (location, reason, hint) => {
  expect(refusedLocation(location)).toEqual({ reason, hint: expect.stringMatching(hint) });
});

test.each([':memory:', ':temporary:', 'a:b.db', 'C:\\users.db', 'C:/users.db', './host=a', 'POSTGRES://h/d'])(
  '%s is a database',
  (location) => {
    expect(refusedLocation(location)).toBeUndefined();
  },
);

test.each([
  ['postgres://ann:hunter2@h1:1,h2:2/users?sslmode=require', 'postgres://h1:1,h2:2/users'],
  ['mysql://ann:hunter2@h/d', 'mysql://…'],
  ['postgres://db/users?user=ann&password=p@ss1', 'postgres://db/users'],
  ['postgres:///users?host=db1&port=5433', 'postgres://db1:5433/users'],
  ['postgres:///?host=/run/postgresql&dbname=users', 'postgres://%2Frun%2Fpostgresql/users'],
  ['postgres://ann@[::1]:5433/users', 'postgres://[::1]:5433/users'],
  ['postgres://ann:1/hunter2@h', 'postgres://…'],
  ['postgres://ann:p#ss@h/users', 'postgres://…'],
  ['postgres://app:2024?summer@db/users', 'postgres://…'],
  ['postgres://app:2024?sum=mer@db/users', 'postgres://…'],
  ['postgres://ann@h/a%40x', 'postgres://h/a%40x'],
  ['postgres://db', 'postgres://db'],
  ['a@b.db', 'a@b.db'],
])('the address %s is shown without secrets', (location, shown) => {
  expect(shownDatabase(location)).toBe(shown);
});

test.each([
  ['postgres:///d', { PGHOST: 'db1', PGPORT: '5433' }, 'postgres://db1:5433/d'],
  ['postgres:///d', { PGHOST: '/run/pg' }, 'postgres://%2Frun%2Fpg/d'],
  ['postgres://db2:1,db3/d', { PGHOST: 'db1', PGPORT: '5433' }, 'postgres://db2:1,db3:5433/d'],
  ['postgres://db', { PGDATABASE: 'd', USER: 'ann' }, 'postgres://db/d'],
  ['postgres://bob@db', { PGUSER: 'eve', USER: 'ann' }, 'postgres://db/bob'],
  ['postgres://db', { PGUSER: 'eve', USER: 'ann' }, 'postgres://db/eve'],
  ['postgres://db', { USER: 'ann' }, 'postgres://db/ann'],
  ['postgres:///d', {}, 'postgres://localhost/d'],
  ['postgres://localhost:5432/d', {}, 'postgres://localhost/d'],
  ['postgres:///d', { PGPORT: '5432' }, 'postgres://localhost/d'],
  ['tenant.db', { PGHOST: 'db1' }, 'tenant.db'],
])('what the address %s leaves out is taken from %j, as the driver does', (location, env, shown) => {
  expect(shownDatabase(location, env)).toBe(shown);
});

test.each([
  ['postgres://app:2024?summer@db/users', true],
  ['postgres://app:2024?sum=mer@db/users', true],
  ['postgres://app:2024/summer@db', true],
  ['postgres://h/d?PassWord=x', true],
  ['postgres://ann@h/a%40x', false],
  ['postgres://h/d?user=ann@example.com&sslrootcert=/etc/ca.pem', false],
])('the address %s has a password: %s', (address, expected) => {
  expect(hasPassword(address)).toBe(expected);
});
