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

const ascii = /^[\0-\x7f]*$/;

/** Text without regard to letter case and to the way in which Unicode composes it: NFKC with case folding (decision 17). */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const lower = text.normalize('NFKC').toLowerCase();
  // What folding has beyond lower case: both forms of sigma and of the sharp s are one.
  return lower.replaceAll('ς', 'σ').replaceAll('ß', 'ss').normalize('NFKC');
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
