import type { AttributeName } from '../../../contract/attributes.ts';
import type { AttributeValues } from '../../../contract/wire.ts';

/** Checked values of a new user by wire name, in the order of the attributes. Empty values have no key. */
export interface NewValues {
  attributes: AttributeValues;
  extension: Record<string, string>;
  /** Normal form of the mobile number, by which it is unique; absent if there is none. */
  mobileKey?: string;
}

/** Checked changes by wire name; `undefined` clears an attribute. Attributes that the request does not name are absent. */
export interface ChangedValues {
  attributes: { [Name in AttributeName]?: string | undefined };
  extension: Record<string, string | undefined>;
  /** Normal form of the new mobile number; absent if the number is cleared or stays. */
  mobileKey?: string;
}
