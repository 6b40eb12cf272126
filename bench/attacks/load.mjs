import http from 'node:http';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { median } from '../median.mjs';
import { comparison, figure } from '../rows.mjs';
import { openTargets, right } from './targets.mjs';

/** @import { Options } from '../options.mjs' */
/** @typedef {Awaited<ReturnType<typeof openTargets>>} Targets */

const tokenCall = '/api/v2/tenant/token?grant_type=client_credentials&client_secret=x&client_id=';
const calls = 150;

/**
 * How callers without credentials can slow others down: a login beside many token calls, memory with bodies that never
 * end, and the event loop with nested JSON.
 * @param {Options} options
 */
export async function* measureLoad(options) {
  const targets = await openTargets(options, 1, '--address-limit', '100000/s', '--audit', 'off');
  await targets.addUser('ann');
  /** @type {Record<'alone' | 'kept' | 'abandoned', number[]>} */
  const times = { alone: [], kept: [], abandoned: [] };
  const logIn = async () => {
    const { status, took } = await targets.logIn('ann', right);
    if (status !== 200) throw new Error(`a login was answered with ${status}`);
    return took;
  };
  await logIn();
  for (let round = 1; round <= options.rounds; round += 1) {
    options.say(`attacks: load, round ${round} of ${options.rounds}`);
    const alone = [];
    for (let time = 0; time < 5; time += 1) alone.push(await logIn());
    times.alone.push(median(alone));
    times.kept.push(await besideCalls(targets, logIn));
    times.abandoned.push(await besideAbandoned(targets, logIn));
  }
  const goal = { atMost: 10 };
  yield comparison(
    `login beside ${calls} token calls, against one alone`,
    'ms',
    times.kept,
    times.alone,
    goal,
  );
  yield comparison(`login beside ${calls} abandoned token calls`, 'ms', times.abandoned, times.alone, goal);
  yield figure('memory that 60 stalled bodies take', 'MB', [await stalledBodies(targets)], { atMost: 30 });
  const { alone, beside } = await nestedJson(targets);
  yield figure('/healthz, the slowest tenth', 'ms', [alone]);
  yield figure('/healthz beside nested JSON, the slowest tenth', 'ms', [beside], { atMost: 100 });
  await targets.end();
}

/**
 * @param {Targets} targets
 * @param {() => Promise<number>} logIn
 */
async function besideCalls({ ask }, logIn) {
  const agent = new http.Agent({ keepAlive: true });
  const sent = Array.from({ length: calls }, (_, index) => ask('POST', `${tokenCall}${index}`, { agent }));
  const took = await logIn();
  await Promise.all(sent);
  agent.destroy();
  return took;
}

/**
 * @param {Targets} targets
 * @param {() => Promise<number>} logIn
 */
async function besideAbandoned({ bases }, logIn) {
  const { hostname, port } = bases[0] ?? new URL('http://127.0.0.1');
  const sockets = Array.from({ length: calls }, (_, index) => {
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(`POST ${tokenCall}${index} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
    return socket;
  });
  await sleep(20);
  for (const socket of sockets) socket.destroy();
  return logIn();
}

/**
 * Bodies of 5 MiB that stop one byte before their end, on a route that needs no bearer token; where larger bodies are
 * rejected, the largest permitted ones.
 * @param {Targets} targets
 */
async function stalledBodies({ bases, memory }) {
  const { hostname, port } = bases[0] ?? new URL('http://127.0.0.1');
  const before = memory();
  let most = before;
  for (const size of [5 * 1024 * 1024, 16 * 1024]) {
    const sockets = Array.from({ length: 60 }, () => {
      const socket = net.connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(
        `POST /api/v2/sdk/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`,
      );
      socket.write(Buffer.alloc(size - 1, 0x20));
      return socket;
    });
    for (let time = 0; time < 20; time += 1) {
      await sleep(50);
      most = Math.max(most, memory());
    }
    for (const socket of sockets) socket.destroy();
  }
  return most - before;
}

/**
 * The times of /healthz while bodies of nested lists arrive, of the largest size that open routes accept and larger:
 * the median of the slowest tenth, without such bodies and beside them.
 * @param {Targets} targets
 */
async function nestedJson({ ask, bases }) {
  const lists = [
    '['.repeat(16_000),
    '{"a":'.repeat(3200),
    `[${'[],'.repeat(5000)}0]`,
    '[],'.repeat(1_600_000),
  ];
  const agent = new http.Agent({ keepAlive: true });
  const slowest = async () => {
    const times = [];
    for (let time = 0; time < 200; time += 1) times.push((await ask('GET', '/healthz', { agent })).took);
    return median(times.sort((a, b) => b - a).slice(0, 20));
  };
  const alone = await slowest();
  const flood = new Worker(new URL('flood.mjs', import.meta.url), {
    workerData: { base: bases[0]?.href, bodies: lists },
  });
  await sleep(300);
  const beside = await slowest();
  await flood.terminate();
  agent.destroy();
  return { alone, beside };
}
