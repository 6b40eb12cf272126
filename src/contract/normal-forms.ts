import { type AttributeKind, type AttributeName, attributes } from './attributes.ts';

/** Area code of a mobile number that has none, unless a tenant's definition names another (decision 19). */
export const defaultAreaCode = '86';

/** A mobile number in its parts (decision 19). */
export interface MobileNumber {
  /** Digits of the international area code; absent where the value has none. */
  area: string | undefined;
  number: string;
}

const mobile = /^(?:\+?(\d{1,4})-)?(\d{1,20})$/;

/** Reads a mobile number: `+86-1…`, `86-1…` or `1…`. `undefined` for a value of any other form. */
export function parseMobile(value: string): MobileNumber | undefined {
  const [, area, number] = mobile.exec(value) ?? [];
  return number === undefined ? undefined : { area, number };
}

/** Text without regard to letter case (decision 17). */
export function foldCase(text: string): string {
  return text.toLowerCase();
}

type NormalForm = (value: string, areaCode: string | undefined) => string;

const normalForms: { [Kind in AttributeKind]?: NormalForm } = {
  userName: foldCase,
  email: foldCase,
  mobile(value, areaCode) {
    const parsed = parseMobile(value);
    const area = parsed?.area ?? areaCode;
    return parsed && area !== undefined ? `${area}-${parsed.number}` : value;
  },
};

/**
 * The form in which two values of an attribute are compared: what the service takes for equal has one normal form
 * (decisions 17 to 19). A mobile number without an area code gets `areaCode`; without that it stays without one.
 */
export function normalForm(name: AttributeName, value: string, areaCode?: string): string {
  const form: NormalForm | undefined = normalForms[attributes[name].kind];
  return form ? form(value, areaCode) : value;
}

/** An attribute of which no two users of a tenant may have the same value. */
export type UniqueAttribute = {
  [Name in AttributeName]: (typeof attributes)[Name] extends { taken: string } ? Name : never;
}[AttributeName];

/** The unique attributes, in the order of the table. */
export const uniqueAttributes = (Object.keys(attributes) as AttributeName[]).filter(
  (name): name is UniqueAttribute => 'taken' in attributes[name],
);
