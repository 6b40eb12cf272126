import type { SsoTicket } from '../../contract/wire.ts';
import type { ApiRoute } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { requireObject } from '../http/body.ts';
import { findGrant, holdSession, makeGrant } from '../storage/access/grants.ts';
import { readDevice } from './read-device.ts';

/**
 * Companion: issues a one-time ticket for the session token of a login, on the device of that login. Throws `ssoFieldMissing`,
 * `sessionInvalid` or `fingerprintDiffers`.
 */
export const issueSsoTicket: ApiRoute<SsoTicket> = async (context, request) => {
  const { body, tenant } = request;
  const { secret, device_fingerprint } = readDevice(requireObject(body), 'session_token');
  const grant = await findGrant(context, tenant, 'session', secret);
  if (!grant) throw apiError('sessionInvalid');
  request.auditFacts = { user_id: grant.user_id };
  if (grant.device_fingerprint !== device_fingerprint) throw apiError('fingerprintDiffers');
  const ticket = makeGrant(tenant, 'ticket', grant, context.now());
  const session = holdSession(tenant, secret);
  if (!(await context.database.commit([session, ticket.statement]))) throw apiError('sessionInvalid');
  return { expire: ticket.lifetime, sso_ticket: ticket.secret };
};
