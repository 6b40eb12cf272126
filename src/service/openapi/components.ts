import type { JsonSchema } from '../../contract/json-schema.ts';
import {
  hashedPasswordField,
  newUserFields,
  plainPasswordField,
  reference,
  userFieldSchemas,
  wireFields,
} from '../../contract/schemas.ts';
import { settableAttributes, shownAttributes } from './attribute-schemas.ts';
import { answerSchema, objectSchema } from './object-schema.ts';

type WireName = keyof typeof wireFields;

const bodies = [
  'HashedPassword',
  'TicketVerification',
  'TicketOrder',
  'Credentials',
  'PasswordUpdate',
  'NewPassword',
] as const satisfies readonly WireName[];

/** Name of a schema of the document. */
export type SchemaName = WireName | 'User' | 'NewUser' | 'HashedUser' | 'UserChanges' | 'LoginAnswer';

/** Every schema of the document. */
export function componentSchemas(): Record<SchemaName, JsonSchema> {
  const { extension } = newUserFields;
  const plain = Object.entries(wireFields).map(([name, fields]) => {
    const isBody = (bodies as readonly string[]).includes(name);
    return [name, isBody ? objectSchema(fields) : answerSchema(fields)];
  });
  return {
    ...(Object.fromEntries(plain) as Record<WireName, JsonSchema>),
    User: answerSchema(userFieldSchemas, shownAttributes()),
    NewUser: objectSchema({ ...newUserFields, ...plainPasswordField }, settableAttributes()),
    HashedUser: objectSchema({ ...newUserFields, ...hashedPasswordField }, settableAttributes()),
    UserChanges: objectSchema(
      { extension },
      settableAttributes(({ updatable }) => updatable),
    ),
    LoginAnswer: { oneOf: [reference('LoggedIn'), reference('PasswordExpired')] },
  };
}
