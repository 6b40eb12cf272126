import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { apiError, tokenError } from '../errors/api-error.ts';
import { jsonType } from '../http/body.ts';
import type { Ending } from './fault.ts';

/** Bodies of an injected answer by its apparent sender: an error of the API (§7.1, decision 9), or the page of a gateway before it. */
const bodies = {
  json: (status: number) => JSON.stringify(apiError(status === 429 ? 'rateLimited' : 'systemBusy').body),
  html: (status: number) => page(status === 200 ? 'Sign in' : `${status} ${STATUS_CODES[status]}`),
};

/** Another answer. Status 200 means a page that replaces the API's answer, such as the sign-in page of a network. */
export function answerWith(
  status: number,
  sender: keyof typeof bodies,
  { afterCommit = false, retryAfter }: { afterCommit?: boolean | undefined; retryAfter?: string | undefined },
): Ending {
  const body = bodies[sender](status);
  return {
    afterCommit,
    apply({ reply, done }) {
      reply.code(status).header('content-type', sender === 'json' ? jsonType : 'text/html');
      if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
      if (afterCommit) done(null, body);
      else reply.send(body);
    },
  };
}

function page(title: string): string {
  return `<html>\n<head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center></body>\n</html>\n`;
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
