import type { EndpointName } from './operations.ts';

/**
 * Whether an endpoint is written to the audit log, whoever calls it: true if it logs in, gives access, or changes a user (decision
 * 42). The type requires an entry for every endpoint.
 */
const leavesLine = {
  obtainToken: true,
  logIn: true,
  updatePassword: true,
  issueSsoTicket: true,
  verifySsoTicket: true,
  createUser: true,
  importHashedUser: true,
  updateUser: true,
  disableUser: true,
  changePassword: true,
  listUsers: false,
  getUser: false,
  getUserByUserName: false,
  getUserByEmail: false,
  getUserByMobile: false,
  getUserByExternalId: false,
  listKeys: false,
  discover: false,
} as const satisfies Record<EndpointName, boolean>;

type Answered = keyof typeof leavesLine;
type Audited = { [Name in Answered]: (typeof leavesLine)[Name] extends true ? Name : never }[Answered];

/** The endpoints that are written to the audit log. */
export const auditedOperations = (Object.keys(leavesLine) as Answered[]).filter(
  (name): name is Audited => leavesLine[name],
);

/** Events caused by the administrator of the machine, not by calls of the API. */
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

/** All events of the audit log. */
export const auditEvents = [...auditedOperations, ...administration] as const;

export type AuditEventName = (typeof auditEvents)[number];

/** `locked`: refused after too many wrong passwords. `failed`: the service had an error; it did not refuse the call. */
export const auditOutcomes = ['done', 'refused', 'locked', 'failed'] as const;
