import * as v from 'valibot';
import type { AttributeName } from '../../contract/attributes.ts';
import type { EndpointName } from '../../contract/operations.ts';
import { listQuery, loginHeaders, type wireSchemas } from '../../contract/wire.ts';

/** Name of a schema of the OpenAPI document. */
export type SchemaName = keyof typeof wireSchemas;

/** Input and answer of an operation. Path parameters are taken from its URL. */
export interface OperationShape {
  answer: SchemaName;
  body?: SchemaName | { attribute: AttributeName };
  query?: v.ObjectEntries;
  headers?: readonly string[];
  /** Set if the query can also be sent as a form (decision 1). */
  queryAsForm?: true;
}

const credentials = {
  grant_type: v.optional(v.literal('client_credentials')),
  client_id: v.optional(v.string()),
  client_secret: v.optional(v.pipe(v.string(), v.metadata({ format: 'password' }))),
};

const ofTenant = {
  client_id: v.optional(v.pipe(v.string(), v.description('only the keys of the tenant of this application'))),
};

/** The shapes of all endpoints. */
export const operationShapes: Record<EndpointName, OperationShape> = {
  obtainToken: { answer: 'AccessToken', query: credentials, queryAsForm: true },
  listUsers: { answer: 'UserPage', query: listQuery.entries },
  createUser: { answer: 'UserReference', body: 'NewUser' },
  importHashedUser: { answer: 'UserReference', body: 'HashedUser' },
  getUser: { answer: 'User' },
  getUserByUserName: { answer: 'User', body: { attribute: 'user_name' } },
  getUserByEmail: { answer: 'User', body: { attribute: 'email' } },
  getUserByMobile: { answer: 'User', body: { attribute: 'mobile' } },
  getUserByExternalId: { answer: 'User', body: { attribute: 'external_id' } },
  updateUser: { answer: 'UserReference', body: 'UserChanges' },
  disableUser: { answer: 'UserReference' },
  verifySsoTicket: { answer: 'SsoUser', body: 'TicketVerification' },
  logIn: { answer: 'LoginAnswer', body: 'Credentials', headers: Object.values(loginHeaders) },
  updatePassword: { answer: 'PasswordUpdated', body: 'PasswordUpdate', headers: ['X-state-token'] },
  changePassword: { answer: 'UserReference', body: 'NewPassword' },
  issueSsoTicket: { answer: 'SsoTicket', body: 'TicketOrder' },
  listKeys: { answer: 'KeySet', query: ofTenant },
  discover: { answer: 'Discovery', query: ofTenant },
};
