import { errors } from 'undici';
import type { Answer, Reply } from '../../contract/exchange.ts';
import { createTimeoutQueue, type TimedRequest } from './timeouts.ts';
import { maxAnswer, type Transport } from './transport.ts';

interface Call extends TimedRequest {
  fail(cause: Error): void;
}

/** Returns the transport to a service in the same process, without connections. `limit`: milliseconds for each answer. */
export function inProcess(answer: Answer, limit: number): Transport {
  const timeouts = createTimeoutQueue<Call>(limit);
  let isClosed = false;

  return {
    send(request, done, failed) {
      if (isClosed) return failed({ cause: new errors.ClientDestroyedError(), sent: false });
      const fail = (cause: Error) => {
        if (timeouts.end(call)) failed({ cause, sent: true });
      };
      const call: Call = {
        place: -1,
        fail,
        expire: () => failed({ cause: new errors.HeadersTimeoutError(), sent: true }),
      };
      timeouts.begin(call);
      const answered = (reply: Reply | undefined) => {
        if (reply === undefined) fail(new errors.ResponseExceededMaxSizeError());
        else if (timeouts.end(call)) done(reply);
      };
      answer(request, answered, maxAnswer);
    },
    async close() {
      isClosed = true;
      for (const call of timeouts.underWay()) call.fail(new errors.ClientDestroyedError());
    },
  };
}
