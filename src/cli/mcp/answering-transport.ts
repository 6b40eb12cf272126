import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/**
 * A connection over two streams that ends when its input has ended and every request is answered: then `finished` resolves. The
 * transport of the SDK closes with its input, and drops the answers to requests that a script sent just before.
 */
export function answeringTransport(stdin: Readable, stdout: Writable) {
  // The SDK must not see the end of the input.
  const input = stdin.pipe(new PassThrough(), { end: false });
  const inner = new StdioServerTransport(input, stdout);
  const open = new Set<unknown>();
  let isAtEnd = false;
  let finish = () => {};
  const look = () => void (isAtEnd && open.size === 0 && finish());
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  // The last messages are read one turn after the end.
  stdin.once('end', () =>
    setImmediate(() => {
      isAtEnd = true;
      look();
    }),
  );
  const outer: Transport = {
    start() {
      inner.onmessage = (message) => {
        if ('method' in message && 'id' in message) open.add(message.id);
        if ('method' in message && message.method === 'notifications/cancelled') {
          open.delete((message.params as { requestId?: unknown } | undefined)?.requestId);
          look();
        }
        outer.onmessage?.(message);
      };
      inner.onclose = () => outer.onclose?.();
      inner.onerror = (error) => outer.onerror?.(error);
      return inner.start();
    },
    async send(message) {
      await inner.send(message);
      if (!('method' in message) && 'id' in message) open.delete(message.id);
      look();
    },
    close: () => inner.close(),
  };
  return Object.assign(outer, { finished });
}
