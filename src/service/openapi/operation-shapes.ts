import type { AttributeName } from '../../contract/attributes.ts';
import type { Field, JsonSchema } from '../../contract/json-schema.ts';
import type { CompanionName, OperationName } from '../../contract/operations.ts';
import { listQueryFields } from '../../contract/schemas.ts';
import type { SchemaName } from './schemas.ts';

/** What an operation takes and answers. Path parameters follow from its URL. */
export interface OperationShape {
  answer: SchemaName;
  body?: SchemaName | { attribute: AttributeName };
  query?: Readonly<Record<string, Field>>;
  headers?: readonly string[];
  /** The query may as well be sent as a form (decision 1). */
  queryAsForm?: true;
}

const text: JsonSchema = { type: 'string' };

const credentials = {
  grant_type: { schema: { ...text, const: 'client_credentials' }, required: false },
  client_id: { schema: text, required: false },
  client_secret: { schema: { ...text, format: 'password' }, required: false },
};

/** Every operation's shape. */
export const operationShapes: Record<OperationName | CompanionName, OperationShape> = {
  obtainToken: { answer: 'AccessToken', query: credentials, queryAsForm: true },
  listUsers: { answer: 'UserPage', query: listQueryFields },
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
  logIn: {
    answer: 'LoginAnswer',
    body: 'Credentials',
    headers: ['X-client-id', 'X-device-fingerprint', 'X-operating-sys-version', 'X-agent'],
  },
  updatePassword: { answer: 'PasswordUpdated', body: 'PasswordUpdate', headers: ['X-state-token'] },
  changePassword: { answer: 'UserReference', body: 'NewPassword' },
  issueSsoTicket: { answer: 'SsoTicket', body: 'TicketOrder' },
  listKeys: { answer: 'KeySet' },
};
