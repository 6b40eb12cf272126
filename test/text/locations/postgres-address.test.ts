import { expect, test } from 'vitest';
import { readPostgresAddress } from '../../../src/text/locations/postgres-address.ts';

test.each([
  ['postgres://', { hosts: [{ host: '' }], parameters: {} }],
  ['postgresql://ann@db/users', { hosts: [{ host: 'db' }], user: 'ann', database: 'users', parameters: {} }],
  [
    'postgres://h1:1,h2,[::1]:3/d',
    {
      hosts: [{ host: 'h1', port: 1 }, { host: 'h2' }, { host: '::1', port: 3 }],
      database: 'd',
      parameters: {},
    },
  ],
  [
    'postgres://ann@/d?host=/run/pg',
    { hosts: [{ host: '/run/pg' }], user: 'ann', database: 'd', parameters: {} },
  ],
  [
    'postgres:///d?host=/a,/b&port=1,2',
    {
      hosts: [
        { host: '/a', port: 1 },
        { host: '/b', port: 2 },
      ],
      database: 'd',
      parameters: {},
    },
  ],
  [
    'postgres:///d?host=/a,/b&port=1',
    {
      hosts: [
        { host: '/a', port: 1 },
        { host: '/b', port: 1 },
      ],
      database: 'd',
      parameters: {},
    },
  ],
  [
    'postgres://ann@%2Frun%2Fpg:5433/d',
    { hosts: [{ host: '/run/pg', port: 5433 }], user: 'ann', database: 'd', parameters: {} },
  ],
  [
    'postgres://ann:p%40%3A@h/d?user=eve&options=-c%20a',
    { hosts: [{ host: 'h' }], user: 'eve', password: 'p@:', database: 'd', parameters: { options: '-c a' } },
  ],
  ['postgres://h/a%40x', { hosts: [{ host: 'h' }], database: 'a@x', parameters: {} }],
  [
    'postgres://h/d?user=ann@example.com&sslrootcert=/etc/ca.pem&options=-c%20a.b%3Dc%40d',
    {
      hosts: [{ host: 'h' }],
      user: 'ann@example.com',
      database: 'd',
      parameters: { sslrootcert: '/etc/ca.pem', options: '-c a.b=c@d' },
    },
  ],
  ['POSTGRES://h?sslmode=prefer', { hosts: [{ host: 'h' }], parameters: { sslmode: 'prefer' } }],
])('%s is split into its parts', (address, parts) => {
  expect(readPostgresAddress(address)).toEqual(parts);
});

test.each([
  'postgres:/h/d',
  'postgres://ann@h@i/d',
  'postgres://h:port/d',
  'postgres://h:99999/d',
  'postgres://[::1/d',
  'postgres://h/%zz',
  'mysql://h/d',
  'postgres://ann:1/hunter2@h',
  'postgres://ann:1?hunter2@h/d',
  'postgres://ann:1?hun=ter2@h/d',
  'postgres://ann:1?host=hunter2@h/d',
  'postgres://ann:1?hun/ter2',
])('%s is malformed', (address) => {
  expect(readPostgresAddress(address)).toBeUndefined();
});
