import type { FastifyInstance } from 'fastify';
import { type EndpointName, endpoints, type OpenName } from '../../contract/operations.ts';
import type { ServiceContext } from '../context/context.ts';
import type { ApiRoute, RouteParts } from '../context/route.ts';
import { bodyLimit, smallBodyLimit } from '../http/body.ts';
import { changePassword } from './change-password.ts';
import { createUser } from './create-user.ts';
import { disableUser } from './disable-user.ts';
import { getUser, getUserBy } from './get-user.ts';
import { discover } from './id-tokens/discover.ts';
import { listKeys } from './id-tokens/list-keys.ts';
import { importHashedUser } from './import-hashed-user.ts';
import { issueSsoTicket } from './issue-sso-ticket.ts';
import { listUsers } from './list-users.ts';
import { logIn } from './log-in.ts';
import { obtainToken } from './obtain-token.ts';
import { updatePassword } from './update-password.ts';
import { updateUser } from './update-user.ts';
import { verifySsoTicket } from './verify-sso-ticket.ts';

/** Routes that need no bearer token: for obtaining or checking credentials, and for verifying id tokens. */
export const openRoutes = { obtainToken, logIn, updatePassword, listKeys, discover } satisfies Record<
  OpenName,
  ApiRoute<unknown>
>;

/** All other routes; the type requires one for every endpoint. */
export const bearerRoutes = {
  listUsers,
  createUser,
  importHashedUser,
  getUser,
  getUserByUserName: getUserBy('getUserByUserName'),
  getUserByEmail: getUserBy('getUserByEmail'),
  getUserByMobile: getUserBy('getUserByMobile'),
  getUserByExternalId: getUserBy('getUserByExternalId'),
  updateUser,
  disableUser,
  changePassword,
  verifySsoTicket,
  issueSsoTicket,
} satisfies Record<Exclude<EndpointName, OpenName>, ApiRoute<unknown>>;

/** Adds routes to an application, each at the address of its endpoint. */
export function addRoutes(
  app: FastifyInstance,
  context: ServiceContext,
  routes: { [Name in EndpointName]?: ApiRoute<unknown> },
): void {
  for (const [name, answer] of Object.entries(routes)) {
    const { method, url, reads, takesPicture } = endpoints[name as EndpointName];
    app.route<RouteParts>({
      method,
      url,
      config: { name, reads },
      bodyLimit: takesPicture ? bodyLimit : smallBodyLimit,
      handler: (request, reply) => answer(context, request, reply),
    });
  }
}
