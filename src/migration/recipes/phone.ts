import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
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
  const options = { ...(region ? { defaultCountry: region } : {}), extract: false };
  return (value) => {
    const number = parsePhoneNumberFromString(value.replace(bracketed, '$1'), options);
    if (!number?.isValid() || number.ext !== undefined) return unreadable;
    return `+${number.countryCallingCode}-${number.nationalNumber}`;
  };
}

function isCountry(region: string): region is CountryCode {
  return isSupportedCountry(region);
}
