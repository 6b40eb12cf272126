import * as v from 'valibot';
import { auditEvents, auditOutcomes } from './audit-event.ts';
import { moment, optional, text } from './value-schemas.ts';

/** Line of the audit log: who did what to whom, from where, with which outcome. Contains no secrets and no attribute values. */
export const auditLine = v.strictObject({
  time: moment,
  event: v.picklist(auditEvents),
  outcome: v.picklist(auditOutcomes),
  code: optional(text, 'of the API error, or PASSWORD_EXPIRED'),
  tenant: optional(text, 'tenant id'),
  application: optional(text, 'client id; only of one that exists'),
  user_id: optional(text, 'whom it was about'),
  attributes: optional(v.array(text), 'names of the changed attributes'),
  address: optional(text, 'of the caller'),
  account: optional(text, 'of the operating system, of a command with --local'),
  request_id: optional(text, 'as in the log of the service'),
});

/** A parsed line of the audit log. */
export type AuditLine = v.InferOutput<typeof auditLine>;

/** An event to record; the log adds the time. */
export type AuditEvent = Omit<AuditLine, 'time'>;
