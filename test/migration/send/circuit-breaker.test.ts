import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import { createCircuitBreaker } from '../../../src/migration/send/circuit-breaker.ts';

const refused = new NetworkError('unreachable', 'the connection was refused', { effect: 'none' });
const throttled = new NetworkError('throttled', 'limits the rate', { effect: 'none', status: 429 });

/** A circuit breaker whose clock the test moves. */
function breakerAt() {
  const clock = { time: 0 };
  return { clock, breaker: createCircuitBreaker({ now: () => clock.time }) };
}

test('a host that cannot be reached for half a minute stops the run', () => {
  const { clock, breaker } = breakerAt();
  for (clock.time = 0; clock.time < 30_000; clock.time += 1500) {
    breaker.unanswered('unreachable', refused);
    expect(breaker.isOpen()).toBe(false);
  }
  breaker.unanswered('unreachable', refused);
  expect(breaker.reason()).toMatchObject({
    name: 'StoppedError',
    code: 'HOST_GONE',
    message: 'no answer for 30 s: the connection was refused',
    cause: refused,
  });
  expect(breaker.signal.aborted).toBe(true);
});

test('one answer resets the count, and a few failures do not count, however long they take', () => {
  const { clock, breaker } = breakerAt();
  for (let round = 0; round < 10; round += 1) {
    for (let failure = 0; failure < 100; failure += 1) breaker.unanswered('unreachable', refused);
    clock.time += 20_000;
    breaker.answered();
  }
  for (let failure = 0; failure < 9; failure += 1) {
    clock.time += 60_000;
    breaker.unanswered('unreachable', refused);
  }
  expect(breaker.isOpen()).toBe(false);
});

test('one answer of something else does not stop a run whose calls were unreachable before', () => {
  const { breaker } = breakerAt();
  const page = new NetworkError('notTheApi', 'a login page', { effect: 'none', status: 200 });
  for (let failure = 0; failure < 50; failure += 1) breaker.unanswered('unreachable', refused);
  for (let failure = 0; failure < 19; failure += 1) breaker.unanswered('notTheApi', page);
  expect(breaker.isOpen()).toBe(false);
  breaker.unanswered('notTheApi', page);
  expect(breaker.reason()).toMatchObject({ code: 'HOST_GONE' });
});

test('the message says for how long there was no answer', () => {
  const { clock, breaker } = breakerAt();
  expect(breaker.silence()).toBe(0);
  clock.time = 5000;
  breaker.unanswered('unreachable', refused);
  clock.time = 9000;
  breaker.unanswered('unreachable', refused);
  expect(breaker.silence()).toBe(4000);
  breaker.answered();
  expect(breaker.silence()).toBe(0);
});

test('a service that throttles stops the run only after two minutes', () => {
  const { clock, breaker } = breakerAt();
  for (clock.time = 0; clock.time < 120_000; clock.time += 5000) {
    breaker.unanswered('throttled', throttled);
    expect(breaker.isOpen()).toBe(false);
  }
  breaker.unanswered('throttled', throttled);
  expect(breaker.reason()).toMatchObject({ code: 'THROTTLED' });
});

test('the first reason is kept, even if it is the signal', () => {
  const stop = new AbortController();
  const breaker = createCircuitBreaker({ signal: stop.signal });
  stop.abort('SIGINT');
  breaker.stop(new Error('later'));
  expect(breaker.isOpen()).toBe(true);
  expect(breaker.reason()?.cause).toBe('SIGINT');
});

test('a service that asks for a long pause is not gone when the pause ends', () => {
  const { clock, breaker } = breakerAt();
  const pause = new NetworkError('throttled', 'limits the rate', {
    effect: 'none',
    status: 429,
    retryAfter: 180_000,
  });
  for (let failure = 0; failure < 32; failure += 1) breaker.unanswered('throttled', pause);
  clock.time += 180_000;
  for (let failure = 0; failure < 32; failure += 1) breaker.unanswered('throttled', throttled);
  expect(breaker.isOpen()).toBe(false);
  clock.time += 120_000;
  breaker.unanswered('throttled', throttled);
  expect(breaker.reason()).toMatchObject({ code: 'THROTTLED' });
});

test('a service that asks for one long pause after the other, and answers nothing in between, stops the run', () => {
  const { clock, breaker } = breakerAt();
  const details = { effect: 'none', status: 429, retryAfter: 180_000 } as const;
  const pause = new NetworkError('throttled', 'limits the rate', details);
  for (let pauses = 0; pauses < 5; pauses += 1) {
    for (let failure = 0; failure < 32; failure += 1) breaker.unanswered('throttled', pause);
    expect(breaker.isOpen()).toBe(false);
    clock.time += 180_000;
  }
  breaker.answered();
  for (let pauses = 0; pauses < 6; pauses += 1) {
    expect(breaker.isOpen()).toBe(false);
    breaker.unanswered('throttled', pause);
    clock.time += 180_000;
  }
  expect(breaker.reason()).toMatchObject({
    code: 'THROTTLED',
    message: 'every request was throttled for 900 s: limits the rate',
  });
});
