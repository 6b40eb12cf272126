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
 * `+86-13800138000` of any way to write the number; what is no number of its country is not guessed. Without a region a number
 * must begin with + and the code of its country. By the large table of the library: the small one takes ten digits for a
 * Chinese number.
 */
export function phoneStep(region: string | undefined): RecipeStep {
  if (region !== undefined && !isCountry(region)) throw new RangeError(`phone: there is no region ${region}`);
  const readUsual = region ? usualReader(region) : () => undefined;
  return (value) => readUsual(value) ?? readPhone(value, region);
}

/** Reads a number as the library does. */
export function readPhone(value: string, region: CountryCode | undefined): string | StepFault {
  const options = { ...(region ? { defaultCountry: region } : {}), extract: false };
  const number = parsePhoneNumberFromString(value.replace(bracketed, '$1'), options);
  if (!number?.isValid() || number.ext !== undefined) return unreadable;
  return `+${number.countryCallingCode}-${number.nationalNumber}`;
}

/** Of the plan of a country. */
interface NumberingPlan {
  callingCode(): string;
  type(name: string): { pattern(): string } | undefined;
}

/**
 * Reads what most rows have, a mobile number of the region with or without its code, by the pattern of the library: its parser
 * takes as long as everything else of a row. A property test holds both to the same answers.
 */
function usualReader(region: CountryCode): (value: string) => string | undefined {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(region);
  // The library has it, and its types leave it out.
  const plan = metadata.numberingPlan as unknown as NumberingPlan;
  const code = plan.callingCode();
  const usual = new RegExp(`^(?:\\+${code})?(${plan.type('MOBILE')?.pattern() ?? '(?!)'})$`);
  return (value) => {
    if (!/^\+?\d[\d -]*$/.test(value)) return undefined;
    const found = usual.exec(value.replaceAll(/[ -]/g, ''))?.[1];
    return found === undefined ? undefined : `+${code}-${found}`;
  };
}

function isCountry(region: string): region is CountryCode {
  return isSupportedCountry(region);
}
