import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AuditEventName, auditedOperations } from '../../contract/audit-event.ts';
import type { AuditEvent } from '../../contract/audit-line.ts';
import { localErrors } from '../../contract/errors.ts';
import { userIdShape } from '../../contract/wire.ts';
import { systemBusyNow } from '../errors/api-error.ts';
import { endpointName } from '../http/endpoints.ts';
import type { AuditLog } from './audit-log.ts';

/** Facts that only the route of an audited operation knows. */
type AuditFacts = Pick<AuditEvent, 'tenant' | 'application' | 'user_id' | 'attributes' | 'code'>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by routes; the log adds the facts that every request has. */
    auditFacts?: AuditFacts;
    /** True if the request is to be recorded: fault injection did not end it before. */
    isAudited: boolean;
  }
}

const events: ReadonlySet<string> = new Set(auditedOperations);

/**
 * Records each request of an audited operation before it is answered, by the answer of the service: one that fault injection ends
 * before it reaches the operation is not recorded. Nor are those rejected before anything was read (429, 503), so that nobody can fill
 * the disk; a login whose caller hung up is recorded. While the log cannot be written, audited operations are rejected, so that nothing
 * goes unrecorded.
 */
export function auditRequests(api: FastifyInstance, log: AuditLog): void {
  api.addHook('onRequest', (request, _reply, done) => {
    if (!events.has(endpointName(request))) return done();
    request.isAudited = true;
    done(log.fault() === undefined ? undefined : systemBusyNow());
  });
  api.addHook('onRoute', (route) => {
    const event = auditedOperations.find((name) => name === route.config?.name);
    if (event === undefined) return;
    const record = (request: FastifyRequest, reply: FastifyReply, _payload: unknown, done: () => void) => {
      const isTurnedAway = reply.statusCode === 429 || reply.statusCode === 503;
      const leavesNoLine = isTurnedAway && request.auditFacts === undefined;
      if (leavesNoLine || !request.isAudited) done();
      else log.record(describe(event, request, reply.statusCode), done);
    };
    // Before faults are injected into the answer.
    route.onSend = [record, ...[route.onSend ?? []].flat()];
  });
}

function describe(event: AuditEventName, request: FastifyRequest, status: number): AuditEvent {
  const { tenant, clientId, auditFacts, apiErrorCode, ip, id, params } = request;
  const { user_id = '' } = params as { user_id?: string };
  const described: AuditEvent = { event, outcome: outcomeOf(apiErrorCode, status) };
  if (apiErrorCode !== '') described.code = apiErrorCode;
  if (tenant !== undefined) described.tenant = tenant.definition.tenant_id;
  if (clientId !== '') described.application = clientId;
  // The id in a path is the caller's text: it is recorded only if it has the form of a user id.
  if (userIdShape.test(user_id)) described.user_id = user_id;
  Object.assign(described, auditFacts);
  if (ip !== undefined) described.address = ip;
  described.request_id = id;
  return described;
}

function outcomeOf(apiErrorCode: string, status: number): AuditEvent['outcome'] {
  if (apiErrorCode === '') return 'done';
  if (apiErrorCode === localErrors.loginLocked.code) return 'locked';
  return status < 500 ? 'refused' : 'failed';
}
