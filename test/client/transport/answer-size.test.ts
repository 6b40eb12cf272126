import { expect, test } from 'vitest';
import { maxAnswer } from '../../../src/client/transport/transport.ts';
import { startPeer } from '../start-peer.ts';

test('an answer without an end is aborted before it fills the memory', async () => {
  let sent = 0;
  const chunk = Buffer.alloc(1024 * 1024, ' ');
  const peer = await startPeer({
    call(_received, response) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const pour = () => {
        let flows = true;
        while (flows && !response.destroyed) {
          sent += chunk.length;
          flows = response.write(chunk);
        }
      };
      response.on('drain', pour);
      pour();
    },
  });
  const error = await peer
    .connect()
    .withoutRetries()
    .getUser('x')
    .catch((failure: unknown) => failure);
  expect(error).toMatchObject({
    name: 'NetworkError',
    fault: 'tooLong',
    message: `${peer.baseUrl}: the answer is longer than 64 MiB`,
    hint: expect.stringContaining('--limit'),
  });
  expect(sent).toBeGreaterThan(maxAnswer);
  expect(sent).toBeLessThan(2 * maxAnswer);
});
