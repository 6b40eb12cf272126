import { type AttributeName, attributeNames, attributes } from '../../contract/attributes.ts';
import { normalForm } from '../../contract/normal-forms.ts';
import type { HashedUser, User, UserChanges } from '../../contract/wire.ts';

/** A field that a row can name: an attribute, or `extension.<key>`. */
export type RowField = AttributeName | `extension.${string}`;

/** Fields by which a user is the person of a row; other fields may have changed since. */
export const identityFields = [
  'user_name',
  'email',
  'mobile',
  'external_id',
  'name',
] as const satisfies readonly AttributeName[];

/**
 * The fields in which a user is not what the row says, by the normal forms of the contract; a field that the row leaves
 * empty is no difference. `ownsMobile`: the user was found by the mobile number of the row, which says for sure that it is
 * theirs, since only the tenant knows which area code a number without one has.
 */
export function differencesOf(
  row: HashedUser,
  user: User,
  ownsMobile: boolean,
  fields: readonly AttributeName[] = attributeNames,
): AttributeName[] {
  return fields.filter((field) => {
    const wanted = row[field];
    if (wanted === undefined || (field === 'mobile' && ownsMobile)) return false;
    return normalForm(field, wanted) !== normalForm(field, user[field] ?? '');
  });
}

/** The extension attributes in which a user is not what the row says. */
export function extensionDifferences({ extension = {} }: HashedUser, user: User): RowField[] {
  return Object.entries(extension).flatMap(([key, value]): RowField[] =>
    user.extension?.[key] === value ? [] : [`extension.${key}`],
  );
}

/** True for a field that Modify takes (§4.10). */
export function isUpdatable(field: RowField): boolean {
  return !Object.hasOwn(attributes, field) || attributes[field as AttributeName].updatable;
}

/** What to send so that these fields are as the row says. */
export function changesOf(row: HashedUser, fields: readonly string[]): UserChanges {
  const { extension = {}, ...values } = row;
  const named = Object.entries(values).filter(([field]) => fields.includes(field));
  const extended = Object.entries(extension).filter(([key]) => fields.includes(`extension.${key}`));
  return {
    ...(Object.fromEntries(named) as UserChanges),
    ...(extended.length > 0 ? { extension: Object.fromEntries(extended) } : {}),
  };
}
