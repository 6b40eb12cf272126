import * as v from 'valibot';
import { auditEvents, auditOutcomes } from './audit-event.ts';
import { moment } from './value-schemas.ts';

const optional = (description: string) => v.exactOptional(v.pipe(v.string(), v.description(description)));

/** Line of the audit log: who did what to whom, from where, with which outcome. Contains no secrets and no attribute values. */
export const auditLine = v.strictObject({
  time: moment,
  event: v.picklist(auditEvents),
  outcome: v.picklist(auditOutcomes),
  code: optional('of the API error, or PASSWORD_EXPIRED'),
  tenant: optional('tenant id'),
  application: optional('client id; only of one that exists'),
  user_id: optional('whom it was about'),
  attributes: v.exactOptional(v.pipe(v.array(v.string()), v.description('names of the changed attributes'))),
  address: optional('of the caller'),
  account: optional('of the operating system, of a command with --local'),
  request_id: optional('as in the log of the service'),
});

/** A parsed line of the audit log. */
export type AuditLine = v.InferOutput<typeof auditLine>;

/** An event to record; the log adds the time. */
export type AuditEvent = Omit<AuditLine, 'time'>;
