import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify';
import { type EndpointName, endpoints } from '../../contract/operations.ts';
import { readBearer } from '../http/authenticate.ts';
import { endpointName } from '../http/endpoints.ts';
import type { Decision } from './fault.ts';
import type { Faults } from './plan.ts';

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
        return ending.apply({ request, reply, done: (error) => (error ? done(error) : done()) });
      if (ending || delayAfter > 0) later.set(request, decision);
      done();
    });
  });

  const replaceAnswer: onSendHookHandler = (request, reply, payload, done) => {
    const decision = later.get(request);
    if (!decision) return done(null, payload);
    later.delete(request);
    after(decision.delayAfter, () => {
      if (decision.ending) decision.ending.apply({ request, reply, payload, done });
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
