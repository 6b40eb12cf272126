import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { type EndpointName, endpoints } from '../../contract/operations.ts';
import { TokenErrorReply } from '../errors/api-error.ts';
import { readBearer } from '../http/authenticate.ts';
import { endpointName } from '../http/endpoints.ts';
import type { Decision, Ending } from './fault.ts';
import type { Faults } from './plan.ts';

/** A call to which an ending is applied; `payload` is set only after the handler. */
interface EndingCall {
  request: FastifyRequest;
  reply: FastifyReply;
  payload: unknown;
  /** Continues with another payload, or with an error; not called if the connection ends. */
  done(error: Error | null, payload?: string): void;
}

type Endings = {
  [Kind in Ending['kind']]: (ending: Extract<Ending, { kind: Kind }>, call: EndingCall) => void;
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
  cut(_ending, { request, reply, payload, done }) {
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
  expired(_ending, { done }) {
    done(new TokenErrorReply('invalid_token'));
  },
};

function applyEnding<Kind extends Ending['kind']>(
  ending: Extract<Ending, { kind: Kind }>,
  call: EndingCall,
): void {
  const apply: Endings[Kind] = endings[ending.kind as Kind];
  apply(ending, call);
}

/** Only a plain connection can send RST; a TLS connection is destroyed. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/**
 * Injects the faults of a script as a gateway before the service would: before the bearer token is checked, and after the answer is
 * complete. Injected faults are not reported as failures of the service.
 */
export function injectFaults(app: FastifyInstance, faults: Faults): void {
  /** Decisions about the answers of calls that were passed to the handler. */
  const later = new WeakMap<FastifyRequest, Decision>();

  app.addHook('onRequest', (request, reply, done) => {
    const name = endpointName(request);
    if (!Object.hasOwn(endpoints, name)) return done();
    const { isOpen } = endpoints[name as EndpointName];
    const decision = faults.decide(name, isOpen ? undefined : readBearer(request));
    const { ending, delayBefore, delayAfter } = decision;
    after(delayBefore, () => {
      if (ending && !ending.afterCommit)
        return applyEnding(ending, {
          request,
          reply,
          payload: undefined,
          done: (error) => (error ? done(error) : done()),
        });
      if (ending || delayAfter > 0) later.set(request, decision);
      done();
    });
  });

  const replaceAnswer: onSendHookHandler = (request, reply, payload, done) => {
    const decision = later.get(request);
    if (!decision) return done(null, payload);
    later.delete(request);
    after(decision.delayAfter, () => {
      if (decision.ending) applyEnding(decision.ending, { request, reply, payload, done });
      else done(null, payload);
    });
  };
  // As a hook of each route, which runs after all others.
  app.addHook('onRoute', (route) => {
    route.onSend = [...[route.onSend ?? []].flat(), replaceAnswer];
  });
}

/** Without a delay, runs at once: a script without delays must not change the order of the calls. */
function after(delay: number, run: () => void): void {
  if (delay > 0) setTimeout(run, delay);
  else run();
}
