import type { EndpointName } from './operations.ts';

/**
 * Whether an operation leaves a line, whoever calls it: one that logs in, gives access, or changes a user does (decision 42).
 * An operation that is missing here does not compile.
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

/** The operations that leave a line. */
export const auditedOperations = (Object.keys(leavesLine) as Answered[]).filter(
  (name): name is Audited => leavesLine[name],
);

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
