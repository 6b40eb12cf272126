import { expect, test } from 'vitest';
import { NetworkError } from '../../../src/client/errors.ts';
import { createCircuitBreaker } from '../../../src/migration/send/circuit-breaker.ts';

const refused = new NetworkError('unreachable', 'the connection was refused', { effect: 'none' });
const throttled = new NetworkError('unavailable', 'limits the rate', { effect: 'none', status: 429 });

/** A brake whose clock the test moves. */
function brakeAt() {
  const clock = { time: 0 };
  return { clock, brake: createCircuitBreaker({ now: () => clock.time }) };
}

test('a host that is gone for half a minute stops the run', () => {
  const { clock, brake } = brakeAt();
  for (clock.time = 0; clock.time < 30_000; clock.time += 1500) {
    brake.unanswered(refused);
    expect(brake.isOpen()).toBe(false);
  }
  brake.unanswered(refused);
  expect(brake.reason()).toMatchObject({
    name: 'StoppedError',
    code: 'HOST_GONE',
    message: 'no answer for 30 s: the connection was refused',
    cause: refused,
  });
  expect(brake.signal.aborted).toBe(true);
});

test('one answer begins the count anew, and a few failures are none, however long they take', () => {
  const { clock, brake } = brakeAt();
  for (let round = 0; round < 10; round += 1) {
    for (let failure = 0; failure < 100; failure += 1) brake.unanswered(refused);
    clock.time += 20_000;
    brake.answered();
  }
  for (let failure = 0; failure < 9; failure += 1) {
    clock.time += 60_000;
    brake.unanswered(refused);
  }
  expect(brake.isOpen()).toBe(false);
});

test('a service that throttles is given two minutes', () => {
  const { clock, brake } = brakeAt();
  for (clock.time = 0; clock.time < 120_000; clock.time += 5000) {
    brake.unanswered(throttled);
    expect(brake.isOpen()).toBe(false);
  }
  brake.unanswered(throttled);
  expect(brake.reason()).toMatchObject({ code: 'THROTTLED' });
});

test('a certificate that is not accepted stops the run at once', () => {
  const { brake } = brakeAt();
  const tls = new NetworkError('tls', 'not accepted', { effect: 'none' });
  brake.unanswered(tls);
  expect(brake.reason()).toBe(tls);
});

test('the first reason counts, be it the signal', () => {
  const stop = new AbortController();
  const brake = createCircuitBreaker({ signal: stop.signal });
  stop.abort('SIGINT');
  brake.stop(new Error('later'));
  expect(brake.isOpen()).toBe(true);
  expect(brake.reason()?.cause).toBe('SIGINT');
});
