import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { companions, operations } from '../../contract/operations.ts';
import { TokenErrorReply } from '../errors/api-error.ts';
import { openRoutes } from '../routes/routes.ts';
import type { Decision, Ending } from './fault.ts';
import type { Faults } from './plan.ts';

/** Where a call stands when its ending is due; `payload` only after the handler. */
interface Due {
  request: FastifyRequest;
  reply: FastifyReply;
  payload: unknown;
  /** Goes on with another payload, or with an error; not called where the connection ends. */
  done(error: Error | null, payload?: string): void;
}

type Endings = {
  [Kind in Ending['kind']]: (ending: Extract<Ending, { kind: Kind }>, due: Due) => void;
};

const endings: Endings = {
  answer({ afterCommit, status, headers, body }, { reply, done }) {
    reply.code(status).headers(headers);
    if (afterCommit) done(null, body);
    else reply.send(body);
  },
  reset(_ending, { request, reply }) {
    reply.hijack();
    reset(request.raw.socket);
  },
  cut(_ending, { request, reply, payload }) {
    const whole = Buffer.from(String(payload));
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '');
    reply.raw.writeHead(reply.statusCode, { 'content-length': whole.length });
    reply.raw.write(whole.subarray(0, whole.length / 2), () => request.raw.socket.destroy());
  },
  expired(_ending, { done }) {
    done(new TokenErrorReply('invalid_token'));
  },
};

function end<Kind extends Ending['kind']>(ending: Extract<Ending, { kind: Kind }>, due: Due): void {
  const carryOut: Endings[Kind] = endings[ending.kind as Kind];
  carryOut(ending, due);
}

/** Only a plain connection can send RST; one of TLS breaks off. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

const names: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...operations, ...companions }).map(([name, { method, url }]) => [
    `${method} ${url}`,
    name,
  ]),
);

/**
 * Lets the service misbehave as a fault script says. The script stands where a gateway would: before the bearer
 * check and after the last byte of the answer is known. Nothing it does is reported as a failure of the service.
 */
export function injectFaults(app: FastifyInstance, faults: Faults): void {
  /** Calls that are let through to the handler, and what is done to their answers. */
  const later = new WeakMap<FastifyRequest, Decision>();

  app.addHook('onRequest', (request, reply, done) => {
    const name = names.get(`${request.method} ${request.routeOptions.url}`);
    if (name === undefined) return done();
    const verdict = faults.judge(name, name in openRoutes ? undefined : bearerOf(request));
    const { ending, delayBefore, delayAfter } = verdict;
    after(delayBefore, () => {
      if (ending && !ending.afterCommit)
        return end(ending, {
          request,
          reply,
          payload: undefined,
          done: (error) => (error ? done(error) : done()),
        });
      if (ending || delayAfter > 0) later.set(request, verdict);
      done();
    });
  });

  app.addHook('onSend', (request, reply, payload, done) => {
    const verdict = later.get(request);
    if (!verdict) return done(null, payload);
    later.delete(request);
    after(verdict.delayAfter, () => {
      if (verdict.ending) end(verdict.ending, { request, reply, payload, done });
      else done(null, payload);
    });
  });
}

function bearerOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** At once when there is nothing to wait for: a script without delays must not reorder calls. */
function after(delay: number, act: () => void): void {
  if (delay > 0) setTimeout(act, delay);
  else act();
}
