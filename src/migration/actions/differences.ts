import { type AttributeName, attributeNames, attributes } from '../../contract/attributes.ts';
import { normalForm } from '../../contract/normal-forms.ts';
import type { HashedUser, User, UserChanges } from '../../contract/wire.ts';

/** A field that a row can name: an attribute, or `extension.<key>`. */
export type RowField = AttributeName | `extension.${string}`;

/** Fields that must match for a user to be the person of a row; all others may have changed since. */
export const identityFields = [
  'user_name',
  'email',
  'mobile',
  'external_id',
  'name',
] as const satisfies readonly AttributeName[];

/**
 * Returns the fields in which a user differs from a row, compared in normal form. A field that the row leaves empty does not
 * differ. `ownsMobile`: the tenant found the user by the mobile number of the row, so the numbers match: only the tenant knows the
 * area code of a number without one. `fields`: only these; by default all, and the extension attributes of the row.
 */
export function differencesOf(
  row: HashedUser,
  user: User,
  ownsMobile: boolean,
  fields?: readonly AttributeName[],
): RowField[] {
  const different = (fields ?? attributeNames).filter((field) => {
    const wanted = row[field];
    if (wanted === undefined || (field === 'mobile' && ownsMobile)) return false;
    return normalForm(field, wanted) !== normalForm(field, user[field] ?? '');
  });
  const extension = Object.entries(fields ? {} : (row.extension ?? {}));
  const extended = extension.filter(([key, value]) => (user.extension?.[key] ?? '') !== value);
  return [...different, ...extended.map(([key]) => `extension.${key}` as const)];
}

/** True if Modify accepts the field (§4.10). */
export function isUpdatable(field: RowField): boolean {
  return !Object.hasOwn(attributes, field) || attributes[field as AttributeName].updatable;
}

/** Returns the changes to send so that these fields are as the row says. */
export function changesOf(row: HashedUser, fields: readonly string[]): UserChanges {
  const { extension = {}, ...values } = row;
  const named = Object.entries(values).filter(([field]) => fields.includes(field));
  const extended = Object.entries(extension).filter(([key]) => fields.includes(`extension.${key}`));
  return {
    ...(Object.fromEntries(named) as UserChanges),
    ...(extended.length > 0 ? { extension: Object.fromEntries(extended) } : {}),
  };
}
