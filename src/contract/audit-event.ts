import { type EndpointName, endpoints } from './operations.ts';

/** The endpoints that leave no line in the audit log (decision 42): they neither log in, give access, nor change a user. */
const unaudited = [
  'listUsers',
  'getUser',
  'getUserByUserName',
  'getUserByEmail',
  'getUserByMobile',
  'getUserByExternalId',
  'listKeys',
  'discover',
] as const satisfies readonly EndpointName[];

type Audited = Exclude<EndpointName, (typeof unaudited)[number]>;

/** The endpoints that are written to the audit log, whoever calls them. */
export const auditedOperations = (Object.keys(endpoints) as EndpointName[]).filter(
  (name): name is Audited => !(unaudited as readonly string[]).includes(name),
);

/** Events caused by the administrator of the machine, not by calls of the API. */
const administration = [
  'startService',
  'stopService',
  'applyTenant',
  'copyTenants',
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
