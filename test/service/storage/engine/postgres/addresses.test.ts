import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readAddresses } from '../../../../../src/service/storage/engine/postgres/addresses.ts';
import { temporaryFile } from '../../temporary-database.ts';

const read = (address: string, env: NodeJS.ProcessEnv = {}) => readAddresses(address, env);
const anyCertificate = { rejectUnauthorized: false };

test.each([
  ['', [false]],
  ['sslmode=disable', [false]],
  ['sslmode=allow', [false, anyCertificate]],
  ['sslmode=prefer', [anyCertificate, false]],
  ['sslmode=require', [anyCertificate]],
  ['sslmode=verify-full', [{}]],
  ['ssl=true', [{}]],
])('%s decides which connections are tried', (parameters, tls) => {
  expect(read(`postgres://h/d?${parameters}`).candidates.map(({ ssl }) => ssl)).toEqual(tls);
});

test('with require and verify-ca the certificate is verified by the given authority, whatever name it has', () => {
  const ca = join(dirname(temporaryFile()), 'ca.pem');
  writeFileSync(ca, 'authority');
  const anyName = { ca: 'authority', checkServerIdentity: expect.any(Function) };
  for (const [mode, ssl] of [
    ['require', anyName],
    ['verify-ca', anyName],
    ['verify-full', { ca: 'authority' }],
  ])
    expect(read(`postgres://h/d?sslmode=${mode}&sslrootcert=${ca}`).candidates).toEqual([
      { host: 'h', database: 'd', ssl },
    ]);
});

test('hosts are tried in their order, a socket without TLS, and of several servers one that can be written to is used', () => {
  expect(
    read('postgres://ann@h1:1,%2Frun/d?sslmode=prefer&application_name=x&answer_timeout=5', {
      PGCONNECT_TIMEOUT: '3',
    }),
  ).toEqual({
    candidates: [
      { host: 'h1', port: 1, ssl: anyCertificate },
      { host: 'h1', port: 1, ssl: false },
      { host: '/run', ssl: false },
    ].map((host) => ({ application_name: 'x', user: 'ann', database: 'd', ...host })),
    session: 'read-write',
    timeout: 3000,
    answerTimeout: 5000,
  });
  expect(read('postgres://h/d', { PGSSLMODE: 'require' })).toMatchObject({
    candidates: [{ ssl: anyCertificate }],
    session: 'any',
    timeout: 10_000,
    answerTimeout: 30_000,
  });
  expect(read('postgres://h,i/d?target_session_attrs=primary').session).toBe('primary');
  // For programs of PostgreSQL, 0 is no limit.
  expect(read('postgres://h/d', { PGCONNECT_TIMEOUT: '0' }).timeout).toBe(10_000);
  // A timer cannot wait longer; with more it would not wait at all.
  const longest = 2 ** 31 - 1;
  expect(read('postgres://h/d?answer_timeout=3000000&connect_timeout=Infinity')).toMatchObject({
    timeout: longest,
    answerTimeout: longest,
  });
});

test.each([
  ['postgres://h:x/d', 'the PostgreSQL URL is malformed'],
  ['postgres://h/d?sslmode=full', 'sslmode=full is not known: use disable, allow, prefer'],
  ['postgres://h/d?sslmode=constructor', 'sslmode=constructor is not known'],
  ['postgres://h/d?sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert=FILE'],
  [
    'postgres://h/d?sslrootcert=/none/ca.pem',
    'sslrootcert=/none/ca.pem cannot be read (ENOENT); name a file in PEM',
  ],
  ['postgres://h/d?sslmode=require&sslkey=/', 'sslkey=/ cannot be read (EISDIR)'],
  ['postgres://h/d?sslmod=verify-full', 'a parameter sslmod; did you mean sslmode?'],
  ['postgres://h/d?answer-timout=5', 'a parameter answer-timout; did you mean answer_timeout?'],
  ['postgres://h/d?connect_timeout=5s', 'connect_timeout=5s is not a number of seconds'],
  ['postgres://h/d?target_session_attrs=standby', 'target_session_attrs=standby finds no server to write to'],
])('%s is refused', (address, reason) => {
  expect(() => read(address)).toThrow(reason);
});
