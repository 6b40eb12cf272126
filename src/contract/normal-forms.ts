import { type AttributeKind, type AttributeName, attributes } from './attributes.ts';

/** Area code assumed for a mobile number without one, unless the tenant definition names another (decision 19). */
export const defaultAreaCode = '86';

/** A parsed mobile number (decision 19). */
export interface MobileNumber {
  /** Digits of the international area code; `undefined` if the value has none. */
  area: string | undefined;
  number: string;
}

const mobile = /^(?:\+?(\d{1,4})-)?(\d{1,20})$/;

/** Parses a mobile number: `+86-1…`, `86-1…` or `1…`. Returns `undefined` for any other form. */
export function parseMobile(value: string): MobileNumber | undefined {
  const [, area, number] = mobile.exec(value) ?? [];
  return number === undefined ? undefined : { area, number };
}

const ascii = /^[\0-\x7f]*$/;

/** Folds letter case and Unicode composition: NFKC with case folding (decision 17). */
export function foldCase(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const lower = text.normalize('NFKC').toLowerCase();
  // Beyond lower case, case folding also unifies the two small sigmas, and the sharp s with `ss`.
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
 * Returns the form in which two values of an attribute are compared: values that the service treats as equal share one normal form
 * (decisions 17 to 19). A mobile number without an area code gets `areaCode`, or stays without one if that is `undefined`.
 */
export function normalForm(name: AttributeName, value: string, areaCode?: string): string {
  const form: NormalForm | undefined = normalForms[attributes[name].kind];
  return form ? form(value, areaCode) : value;
}

/** An attribute whose values are unique within a tenant. */
export type UniqueAttribute = {
  [Name in AttributeName]: (typeof attributes)[Name] extends { taken: string } ? Name : never;
}[AttributeName];

/** The unique attributes, in the order of `attributes`. */
export const uniqueAttributes = (Object.keys(attributes) as AttributeName[]).filter(
  (name): name is UniqueAttribute => 'taken' in attributes[name],
);
