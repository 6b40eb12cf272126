import { expect, test } from 'vitest';
import { errorForLog } from '../../../src/service/http/log.ts';

test('the log has the name, code, message and place of a failure', () => {
  const error = Object.assign(new TypeError('no such table: users'), { code: 'ERR_SQLITE' });
  const { name, message, code, stack } = errorForLog(error);
  expect({ name, message, code }).toEqual({
    name: 'TypeError',
    message: 'no such table: users',
    code: 'ERR_SQLITE',
  });
  expect(stack[0]).toMatch(/^at .*error-for-log\.test\.ts/);
});

test('other properties of a failure are not logged', () => {
  const error = Object.assign(new Error('duplicate key value violates unique constraint "users_email"'), {
    detail: 'Key (email)=(ann@example.org) already exists.',
    where: 'unnamed portal parameter $3 = ann',
    parameters: ['ann@example.org'],
    cause: new Error('ann@example.org'),
  });
  const { message } = errorForLog(error);
  expect(message).toBe('duplicate key value violates unique constraint "users_email"');
  expect(JSON.stringify(errorForLog(error))).not.toContain('example.org');
});

test.each([
  ['invalid input syntax for type bigint: "ann@example.org"', 'invalid input syntax for type bigint: …'],
  ['invalid input syntax for type bigint: "a\n"b""', 'invalid input syntax for type bigint: …'],
  ['cannot connect to postgres://admin:s3cret@db/users', 'cannot connect to postgres…db/users'],
  [`token 1.${'x'.repeat(43)} is unknown`, 'token … is unknown'],
  ['ticket ssoTicket-0123456789abcdefABCDEF0123456789', 'ticket …'],
  ['hash $2b$10$abcdefghijklmnopqrstuv, no', 'hash … no'],
  ['hash 5f4dcc3b5aa765d61d8327deb882cf99', 'hash …'],
  ['header Bearer abc', 'header …'],
  ['signed eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'signed …'],
])('%j is logged as %j', (message, logged) => {
  expect(errorForLog(new Error(message)).message).toBe(logged);
});

test('the stack does not repeat a message of many lines', () => {
  const error = new Error('first\nann@example.org');
  expect(errorForLog(error).stack.join('\n')).not.toContain('ann@example.org');
  expect(errorForLog(error).stack.length).toBeGreaterThan(0);
});

test('a thrown value that is not an error is not logged', () => {
  for (const thrown of ['secret', { secret: 1 }, undefined]) {
    expect(errorForLog(thrown)).toEqual({
      name: typeof thrown,
      message: 'something other than an error was thrown',
      stack: [],
    });
  }
});
