import { ssoFields } from '../../contract/attributes.ts';
import type { SsoUser, User } from '../../contract/wire.ts';
import type { ApiRoute } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { requireObject } from '../http/body.ts';
import { findGrant, spendGrant } from '../storage/access/grants.ts';
import { findShown } from '../storage/users/find-users.ts';
import { userJson } from '../storage/users/user-row.ts';
import { readDevice } from './read-device.ts';

/**
 * Exchanges a one-time ticket for user information (§4.12). The first call uses the ticket up, even if the device differs, but not
 * if the user cannot be read. Throws `ssoFieldMissing`, `ticketInvalid` or `fingerprintDiffers`.
 */
export const verifySsoTicket: ApiRoute<SsoUser> = async (context, request) => {
  const { body, tenant } = request;
  const { secret, device_fingerprint } = readDevice(requireObject(body), 'sso_ticket');
  const grant = await findGrant(context, tenant, 'ticket', secret);
  if (!grant) throw apiError('ticketInvalid');
  request.auditFacts = { user_id: grant.user_id };
  // Before the ticket is used up: a call that is answered with 503 may be repeated.
  const row = await findShown(context.database, tenant, 'user_id', grant.user_id);
  const isFirst = await context.database.commit([spendGrant(tenant, 'ticket', secret)]);
  if (!isFirst) throw apiError('ticketInvalid');
  if (grant.device_fingerprint !== device_fingerprint) throw apiError('fingerprintDiffers');
  if (!row || row.disabled === 1) throw apiError('ticketInvalid');
  const user: User = JSON.parse(userJson(row, tenant.definition.time_zone));
  const entries = tenant.definition.sso.fields.map((field) => [field, user[ssoFields[field]]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as SsoUser;
};
