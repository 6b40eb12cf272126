import { expect, test } from 'vitest';
import { ApiError, AuthenticationError, NetworkError, NotSentError } from '../../../src/client/errors.ts';
import { classifyFailure } from '../../../src/migration/send/classify-result.ts';

const network = (
  fault: ConstructorParameters<typeof NetworkError>[0],
  effect: 'none' | 'unknown',
  status?: number,
) => new NetworkError(fault, 'x', status === undefined ? { effect } : { effect, status });

test.each<[string, unknown, object, object]>([
  [
    'a refusal',
    new ApiError('SVC.X', 'no', 400),
    { kind: 'refused', again: 'never', permit: 'answered' },
    { kind: 'refused', again: 'never' },
  ],
  [
    'a service that fails',
    new ApiError('SVC.X', 'busy', 500),
    { kind: 'unknown', again: 'unknownWrite', permit: 'failing' },
    { kind: 'unknown', again: 'failedLookUp' },
  ],
  [
    'a 429',
    network('throttled', 'none', 429),
    { kind: 'notSent', again: 'throttled', permit: 'throttled' },
    { kind: 'notSent', again: 'throttled', permit: 'throttled' },
  ],
  [
    'a 503',
    network('busy', 'unknown', 503),
    { kind: 'unknown', again: 'unknownWrite', permit: 'busy' },
    { kind: 'unknown', again: 'never' },
  ],
  [
    'a host that is not reached',
    network('unreachable', 'none'),
    { kind: 'notSent', again: 'notSent', permit: 'unreachable' },
    { kind: 'notSent', again: 'notSent' },
  ],
  [
    'a lost answer',
    network('interrupted', 'unknown'),
    { kind: 'unknown', again: 'unknownWrite', permit: 'lost' },
    { kind: 'unknown', again: 'never' },
  ],
  [
    'another service',
    network('notTheApi', 'none', 404),
    { kind: 'notSent', again: 'never', permit: 'notTheApi' },
    { kind: 'notSent', again: 'never' },
  ],
  [
    'a page that is too long',
    network('tooLong', 'none'),
    { kind: 'notSent', again: 'never', permit: 'answered' },
    { kind: 'notSent', again: 'never' },
  ],
  [
    'TLS before the row was sent',
    network('tls', 'none'),
    { kind: 'fatal', again: 'never', mayHaveBeenSent: false },
    { kind: 'fatal' },
  ],
  [
    'TLS while the row was sent',
    network('tls', 'unknown'),
    { kind: 'fatal', again: 'never', mayHaveBeenSent: true },
    { kind: 'fatal' },
  ],
  [
    'wrong credentials',
    new AuthenticationError('invalid_client', 'no', 400),
    { kind: 'fatal', again: 'never', permit: 'answered', mayHaveBeenSent: false },
    { kind: 'fatal', again: 'never' },
  ],
  [
    'a fresh token that is refused',
    new AuthenticationError('invalid_token', 'no', 401),
    { kind: 'fatal', again: 'refusedToken' },
    { kind: 'fatal', again: 'refusedToken' },
  ],
  [
    'a token that has expired',
    new AuthenticationError('invalid_token', 'no', 401, true),
    { kind: 'notSent', again: 'expiredToken', permit: 'answered' },
    { kind: 'notSent', again: 'expiredToken', permit: 'answered' },
  ],
  [
    'a call that a gateway refuses with a good token',
    new AuthenticationError('invalid_request', 'no', 400, true),
    { kind: 'notSent', again: 'never', permit: 'answered' },
    { kind: 'notSent', again: 'never' },
  ],
  [
    'a scope that does not suffice',
    new AuthenticationError('insufficient_scope', 'no', 403, true),
    { kind: 'fatal', again: 'never', mayHaveBeenSent: false },
    { kind: 'fatal', again: 'never' },
  ],
  [
    'an error of the program',
    new TypeError('x'),
    { kind: 'fatal', again: 'never', permit: 'answered', mayHaveBeenSent: true },
    { kind: 'fatal', again: 'never' },
  ],
])('%s is classified once, for a write and for a look-up', (_, error, write, lookUp) => {
  expect(classifyFailure(error, 'create')).toMatchObject({ error, ...write });
  expect(classifyFailure(error, 'repeatable')).toMatchObject({ error, ...lookUp });
});

test('a change whose token request timed out was not sent', () => {
  const error = network('timeout', 'none');
  const unsent = { kind: 'notSent', again: 'notSent', error };
  expect(classifyFailure(new NotSentError(error), 'change')).toMatchObject(unsent);
  expect(classifyFailure(error, 'change')).toMatchObject({ kind: 'unknown' });
});
