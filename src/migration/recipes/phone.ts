import {
  type CountryCode,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import type { RecipeStep, StepFault } from './recipe.ts';

/** A country code in brackets. */
const bracketed = /^\((\+\d{1,3})\)/;

const unreadable: StepFault = { code: 'PHONE_UNREADABLE' };

/**
 * Creates the step that converts a number, however it is written, to `+86-13800138000`; rejects one that is not valid in its
 * country. Without a region, a number must begin with + and its country code. Uses the library's large table (`max`): the small one
 * accepts ten digits for a Chinese number.
 */
export function phoneStep(region: string | undefined): RecipeStep {
  if (region !== undefined && !isCountry(region)) throw new RangeError(`phone: there is no region ${region}`);
  const readUsual = region ? usualReader(region) : () => undefined;
  return (value) => readUsual(value) ?? readPhone(value, region);
}

/** Reads a number with the parser of the library. */
export function readPhone(value: string, region: CountryCode | undefined): string | StepFault {
  const options = { ...(region ? { defaultCountry: region } : {}), extract: false };
  const number = parsePhoneNumberFromString(value.replace(bracketed, '$1'), options);
  if (!number?.isValid() || number.ext !== undefined) return unreadable;
  return `+${number.countryCallingCode}-${number.nationalNumber}`;
}

/** The part of a country's numbering plan that is used here. */
interface NumberingPlan {
  callingCode(): string;
  type(name: string): { pattern(): string } | undefined;
}

/**
 * Reads what most rows have, a mobile number of the region with or without its country code, by the library's pattern: its parser
 * takes as long as everything else in a row. A property test checks that both give the same results.
 */
function usualReader(region: CountryCode): (value: string) => string | undefined {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(region);
  // The library has this property, but its types lack it.
  const plan = metadata.numberingPlan as unknown as NumberingPlan;
  const code = plan.callingCode();
  const usual = new RegExp(`^(?:\\+${code})?(${plan.type('MOBILE')?.pattern() ?? '(?!)'})$`);
  return (value) => {
    if (!/^\+?\d[\d -]*$/.test(value)) return undefined;
    const found = usual.exec(value.replaceAll(/[ -]/g, ''))?.[1];
    return found === undefined ? undefined : `+${code}-${found}`;
  };
}

/** True for a country code that the library knows, such as `CN`. */
export function isCountry(region: string): region is CountryCode {
  return isSupportedCountry(region);
}
