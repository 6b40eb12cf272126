import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBarePool } from '../bare-pool.mjs';
import { median } from '../median.mjs';
import { percentile } from '../percentile.mjs';
import { startService } from '../processes.mjs';
import { comparison, figure } from '../rows.mjs';
import { openPeople } from './people.mjs';
import { importMany, startTraffic } from './traffic.mjs';
import { readService } from './watch.mjs';

/** @import { Options } from '../options.mjs' */
/** @import { Row } from '../rows.mjs' */
/** @import { Reading } from './watch.mjs' */

/** Users when the traffic begins. */
const usersAtFirst = 5000;
/** Connections of the callers. */
const connections = 64;
/** Milliseconds between two readings. */
const interval = 5000;
const minute = 60_000;

/** @typedef {{ readings: Reading[], times: Map<string, number[]> }} Span A time of the run. */

/**
 * A service under mixed traffic at a constant rate for half an hour (`--minutes`): its use of resources in the last
 * sixth of the time, compared with the first, and how long answers take. Each minute is reported.
 * @param {Options} options
 */
export async function* measure(options) {
  const { databases, directory, minutes, say } = options;
  const location = await databases.fresh();
  const audit = join(directory, 'soak.audit.jsonl');
  const server = await startService(location, '--metrics-port', '0', '--audit', audit);
  const { pid = 0, metricsUrl = '' } = server;
  const pool = openBarePool(server.baseUrl, connections);
  const service = { pid, metricsUrl, location, audit, databases };
  const people = openPeople();
  /** @type {Span[]} */
  const spans = [newSpan()];
  let answers = 0;
  /** @type {unknown[]} */
  const failures = [];

  /** @type {import('./traffic.mjs').Ask} */
  const ask = async (kind, request, expected) => {
    const began = performance.now();
    const answer = await pool.ask(request, expected);
    answers += 1;
    keep(spans.at(-1), kind, performance.now() - began);
    return answer;
  };

  await pool.logIn();
  await importMany(ask, people, usersAtFirst);
  spans[0] = newSpan();
  const traffic = startTraffic(ask, people, (failure) => {
    failures.push(failure);
    if (failures.length <= 10) say(`soak: ${failure}`);
  });
  for (let passed = 0; passed < minutes * minute; passed += interval) {
    if (passed > 0 && passed % minute === 0) {
      say(lineOf(passed / minute, spans.at(-1)));
      // A token expires after half an hour.
      if (passed % (10 * minute) === 0) await pool.logIn();
      spans.push(newSpan());
    }
    await sleep(interval);
    spans.at(-1)?.readings.push(await readService(service));
  }
  say(lineOf(minutes, spans.at(-1)));
  await traffic.stop();
  const edge = Math.ceil(minutes / 6);
  const first = joined(spans.slice(0, edge));
  const last = joined(spans.slice(-edge));
  yield figure(`answers in ${minutes} min`, 'answers', [answers]);
  yield figure('answers other than expected', 'answers', [failures.length], { atMost: 0 });
  yield figure('users at the end', 'users', [people.count()]);
  yield* growth(first, last, edge);
  yield* waits(first, last);
  await pool.close();
  const peak = await server.end();
  yield figure('memory, the most', 'MB', [peak]);
  await databases.drop(location);
}

/**
 * The use of resources at the end, compared with the beginning. The heap contains garbage until it is collected, so its
 * smallest size counts.
 * @param {Span} first
 * @param {Span} last
 * @param {number} edge minutes of each
 * @returns {Generator<Row>}
 */
function* growth(first, last, edge) {
  /** @param {Span} span @param {keyof Reading} name */
  const of = ({ readings }, name) => readings.map((reading) => reading[name]);
  /** @param {string} what @param {string} unit @param {keyof Reading} name @param {(values: number[]) => number} sum @param {import('../rows.mjs').Goal} [goal] */
  const compared = (what, unit, name, sum, goal) =>
    comparison(
      `${what}, last ${edge} min against the first`,
      unit,
      [sum(of(last, name))],
      [sum(of(first, name))],
      goal,
    );
  const smallest = (/** @type {number[]} */ values) => Math.min(...values);
  const most = (/** @type {number[]} */ values) => Math.max(...values);
  yield compared('memory', 'MB', 'memory', median, { atMost: 1.5 });
  yield compared('heap after a collection', 'MB', 'heap', smallest, { atMost: 1.3 });
  yield compared('memory outside of the heap', 'MB', 'external', smallest);
  yield compared('open files', 'files', 'files', median, { atMost: 1.1 });
  yield compared(`sockets, of which the callers have ${connections} at most`, 'sockets', 'sockets', most, {
    atMost: 1.2,
  });
  yield compared('threads', 'threads', 'threads', most, { atMost: 1.1 });
  yield compared('database', 'MB', 'database', most);
  yield compared('log of the database', 'MB', 'log', most);
  yield compared('audit log', 'MB', 'audit', most);
  yield compared('hashes to wrap', 'users', 'unwrapped', median);
  yield compared('delay of the event loop, p99', 'ms', 'delay', median);
}

/**
 * Median and 99th percentile of each kind of request.
 * @param {Span} first
 * @param {Span} last
 * @returns {Generator<Row>}
 */
function* waits(first, last) {
  for (const [kind, times] of [...last.times].sort(([one], [other]) => one.localeCompare(other))) {
    const before = first.times.get(kind) ?? [];
    for (const part of [0.5, 0.99]) {
      yield comparison(
        `${kind}, p${part * 100}`,
        'ms',
        [percentile(times, part)],
        [percentile(before, part)],
      );
    }
  }
}

/** @param {Span | undefined} span @param {string} kind @param {number} took */
function keep(span, kind, took) {
  const times = span?.times.get(kind);
  if (times) times.push(took);
  else span?.times.set(kind, [took]);
}

/** @returns {Span} */
function newSpan() {
  return { readings: [], times: new Map() };
}

/** @param {readonly Span[]} spans @returns {Span} */
function joined(spans) {
  /** @type {Map<string, number[]>} */
  const times = new Map();
  for (const span of spans) {
    for (const [kind, some] of span.times) times.set(kind, [...(times.get(kind) ?? []), ...some]);
  }
  return { readings: spans.flatMap(({ readings }) => readings), times };
}

/** @param {number} passed minutes @param {Span | undefined} span */
function lineOf(passed, span) {
  const reading = span?.readings.at(-1);
  if (!span || !reading) return `soak: ${passed} minutes`;
  const shown = Object.entries(reading).map(([name, value]) => `${name} ${Math.round(value * 10) / 10}`);
  const all = [...span.times.values()].flat();
  return `soak: ${passed} minutes: ${shown.join(', ')}; ${all.length} answers, look-ups p99 ${Math.round(percentile(span.times.get('look-up') ?? [], 0.99))} ms`;
}
