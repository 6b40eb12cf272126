import { errors } from 'undici';
import { createTimeoutQueue, type TimedRequest } from './timeouts.ts';
import type { Reply, Request, SendFailure, Transport } from './transport.ts';

/** A service in the same process: takes a request, and calls back once with the answer. */
export type Answer = (
  request: Omit<Request, 'body'> & { body?: string },
  answered: (reply: Omit<Reply, 'bytes'>) => void,
) => void;

interface Call extends TimedRequest {
  end(): void;
  fail(cause: Error): void;
}

/** The way to a service in the same process, without connections. `limit`: milliseconds for each answer. */
export function inProcess(answer: Answer, limit: number): Transport {
  const timeouts = createTimeoutQueue(limit);
  const open = new Set<Call>();
  let isClosed = false;

  function begin(failed: (failure: SendFailure) => void): Call {
    const call: Call = {
      deadline: 0,
      end() {
        open.delete(call);
        timeouts.end(call);
      },
      fail(cause) {
        call.end();
        failed({ cause, sent: true });
      },
      expire: () => call.fail(new errors.HeadersTimeoutError()),
    };
    open.add(call);
    timeouts.begin(call);
    return call;
  }

  return {
    send({ body, ...request }, done, failed) {
      if (isClosed) {
        failed({ cause: new errors.ClientDestroyedError(), sent: false });
        return;
      }
      const call = begin(failed);
      answer(body ? { ...request, body: body() } : request, (reply) => {
        if (!open.has(call)) return;
        call.end();
        done({ ...reply, bytes: Buffer.byteLength(reply.text) });
      });
    },
    async close() {
      isClosed = true;
      for (const call of open) call.fail(new errors.ClientDestroyedError());
    },
  };
}
