import { errors } from 'undici';
import { createTimeoutQueue, type TimedRequest } from './timeouts.ts';
import type { Reply, Request, Transport } from './transport.ts';

/** A service in the same process: takes a request, and calls back once with the answer. */
export type Answer = (
  request: Omit<Request, 'body'> & { body?: string },
  answered: (reply: Omit<Reply, 'bytes'>) => void,
) => void;

/** The way to a service in the same process, without connections. `limit`: milliseconds for each answer. */
export function inProcess(answer: Answer, limit: number): Transport {
  const timeouts = createTimeoutQueue(limit);
  const open = new Set<(cause: Error) => void>();
  let isClosed = false;

  return {
    send({ body, ...request }, done, failed) {
      if (isClosed) return failed({ cause: new errors.ClientDestroyedError(), sent: false });
      const call: TimedRequest = { expire: () => fail(new errors.HeadersTimeoutError()) };
      /** False where the call has ended before. */
      const end = () => {
        timeouts.end(call);
        return open.delete(fail);
      };
      const fail = (cause: Error) => {
        if (end()) failed({ cause, sent: true });
      };
      open.add(fail);
      timeouts.begin(call);
      answer(body ? { ...request, body: body() } : request, (reply) => {
        if (end()) done({ ...reply, bytes: Buffer.byteLength(reply.text) });
      });
    },
    async close() {
      isClosed = true;
      for (const fail of open) fail(new errors.ClientDestroyedError());
    },
  };
}
