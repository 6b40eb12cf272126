import type { AttributeName } from '../../../contract/attributes.ts';
import type { ErrorName } from '../../../contract/errors.ts';
import type { AttributeValues } from '../../../contract/wire.ts';

/** Checked values of a new user by wire name, in the order of the attributes. Empty values have no key. */
export interface NewValues {
  attributes: AttributeValues;
  extension: Record<string, string>;
  /** Normal form of the mobile number, by which it is unique; absent without one. */
  mobileKey?: string;
}

/** Checked changes by wire name; `undefined` clears the attribute. What a request does not name has no key. */
export interface ChangedValues {
  attributes: { [Name in AttributeName]?: string | undefined };
  extension: Record<string, string | undefined>;
  /** Normal form of the new mobile number; absent where it is cleared or stays. */
  mobileKey?: string;
}

/** Why nothing was stored: an API error by its name, and the values of its message. */
export type Rejection = readonly [error: ErrorName, ...values: string[]];
