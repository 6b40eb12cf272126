import type { companions, operations } from './operations.ts';

/** The operations that leave a line, whoever calls them: those that log in, give access, or change a user (decision 42). */
export const auditedOperations = [
  'obtainToken',
  'logIn',
  'updatePassword',
  'issueSsoTicket',
  'verifySsoTicket',
  'createUser',
  'importHashedUser',
  'updateUser',
  'disableUser',
  'changePassword',
] as const satisfies readonly (keyof typeof operations | keyof typeof companions)[];

/** What the administrator of the machine does, beside the API. */
const administration = [
  'startService',
  'stopService',
  'applyTenant',
  'rotateKey',
  'resetKeys',
  'createApplication',
  'rotateSecret',
  'revokeApplication',
  'endSessions',
] as const;

/** Everything that leaves a line. */
export const auditEvents = [...auditedOperations, ...administration] as const;

export type AuditEventName = (typeof auditEvents)[number];

/** `locked`: too many wrong passwords. `failed`: the service could not do it, and nobody was refused. */
export const auditOutcomes = ['done', 'refused', 'locked', 'failed'] as const;

/** One line of the audit log, without its time: who did what to whom, from where, and how it ended. Never a secret or a value. */
export interface AuditEvent {
  event: AuditEventName;
  outcome: (typeof auditOutcomes)[number];
  /** Code of the API error, or the status of a login that needs a new password. */
  code?: string;
  tenant?: string;
  /** Client id of the application; only one that exists. */
  application?: string;
  user_id?: string;
  /** Names of the attributes that were changed. */
  attributes?: readonly string[];
  address?: string;
  /** Account of the operating system, of what was done without the network. */
  account?: string;
  request_id?: string;
}
