import type { AttributeName } from '../../contract/attributes.ts';
import { foldCase } from '../../contract/normal-forms.ts';
import type { OperationName } from '../../contract/operations.ts';
import type { ApiRequest, ApiRoute } from '../context/route.ts';
import { apiError } from '../errors/api-error.ts';
import { jsonType, requireObject } from '../http/body.ts';
import { findShown, type UserKey } from '../storage/users/find-users.ts';
import { userJson } from '../storage/users/user-row.ts';
import type { TenantDefinition } from '../tenant/definition.ts';
import { checkAttribute, checkMobile } from '../validation/check-attribute.ts';

/** Finds a user by user id (§4.5). */
export const getUser: ApiRoute<string> = showUser(({ params }) => ['user_id', params.user_id]);

interface Lookup {
  attribute: AttributeName;
  column: UserKey;
  key(value: string, tenant: TenantDefinition): string;
}

/** The look-ups by an attribute (§4.6 to §4.9): the column, and how its key is made from the value. */
const lookups = {
  getUserByUserName: { attribute: 'user_name', column: 'user_name_key', key: foldCase },
  getUserByEmail: { attribute: 'email', column: 'email_key', key: foldCase },
  getUserByMobile: { attribute: 'mobile', column: 'mobile_key', key: checkMobile },
  getUserByExternalId: { attribute: 'external_id', column: 'external_id', key: (value) => value },
} as const satisfies Partial<Record<OperationName, Lookup>>;

/** Returns the route of a look-up; an empty or malformed value gets the attribute's format error (decision 20). */
export function getUserBy(operation: keyof typeof lookups): ApiRoute<string> {
  const { attribute, column, key }: Lookup = lookups[operation];
  return showUser(({ body, tenant: { definition } }) => {
    const value = checkAttribute(attribute, requireObject(body)[attribute], definition);
    return [column, key(value, definition)];
  });
}

/** Returns the route that shows the user with a key of the request. */
function showUser(keyOf: (request: ApiRequest) => [UserKey, string]): ApiRoute<string> {
  return async (context, request, reply) => {
    const [column, key] = keyOf(request);
    const row = await findShown(context.database, request.tenant, column, key);
    if (!row) throw apiError('userNotFound');
    reply.type(jsonType);
    return userJson(row, request.tenant.definition.time_zone);
  };
}
