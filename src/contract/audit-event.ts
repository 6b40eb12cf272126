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
