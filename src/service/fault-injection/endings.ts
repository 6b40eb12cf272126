import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { tokenError } from '../errors/api-error.ts';
import type { Ending } from './fault.ts';

/** Another answer. */
export function answerWith(
  afterCommit: boolean,
  answer: { status: number; headers: Record<string, string>; body: string },
): Ending {
  return {
    afterCommit,
    apply({ reply, done }) {
      reply.code(answer.status).headers(answer.headers);
      if (afterCommit) done(null, answer.body);
      else reply.send(answer.body);
    },
  };
}

/** The connection is reset. Only a plain connection can send RST; a TLS connection is destroyed. */
export function resetConnection(afterCommit: boolean): Ending {
  return {
    afterCommit,
    apply({ request, reply }) {
      reply.hijack();
      const { socket } = request.raw;
      if (socket instanceof TLSSocket) socket.destroy();
      else socket.resetAndDestroy();
    },
  };
}

/** Half of the handler's answer is sent with the content length of the whole, then the connection ends. */
export const cutReply: Ending = {
  afterCommit: true,
  apply({ request, reply, payload, done }) {
    const sendHalf = (whole: Buffer) => {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '');
      reply.raw.writeHead(reply.statusCode, { 'content-length': whole.length });
      reply.raw.write(whole.subarray(0, whole.length / 2), () => request.raw.socket.destroy());
    };
    // A page with large users is sent in parts.
    if (payload instanceof Readable) buffer(payload).then(sendHalf, done);
    else sendHalf(Buffer.from(String(payload)));
  },
};

/** The bearer token is rejected with `invalid_token`, now and in all later calls. */
export const expiredToken: Ending = {
  afterCommit: false,
  apply: ({ done }) => done(tokenError('invalid_token')),
};
