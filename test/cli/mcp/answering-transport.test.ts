import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { answeringTransport } from '../../../src/cli/mcp/answering-transport.ts';

test('each part of a long line is looked at once, and a message may be in several parts', async () => {
  const parts = function* () {
    yield '{"jsonrpc":"2.0","method":"first"}\r\n\n{"jsonrpc":"2.0",';
    yield '"method":"second","params":{"text":"';
    for (let part = 0; part < 4000; part += 1) yield 'x'.repeat(1000);
    yield '"}}\n{"jsonrpc":"2.0","method":"la';
    yield 'st"}';
  };
  const transport = answeringTransport(Readable.from(parts()), new PassThrough());
  const received: unknown[] = [];
  const before = process.cpuUsage();
  transport.onmessage = (message) => {
    if ('method' in message) received.push([message.method, JSON.stringify(message.params ?? {}).length]);
  };
  await transport.start();
  await transport.finished;
  expect(received).toEqual([
    ['first', 2],
    ['second', 4_000_011],
    ['last', 2],
  ]);
  // Looking for the end of the line in all parts so far takes 6 s of processor time.
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(1_000_000);
});
