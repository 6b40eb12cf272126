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

/** True for a country that numbers can be of, such as `CN`. */
export function isCountry(region: string): region is CountryCode {
  return isSupportedCountry(region);
}

/** The part of numbers that a country must explain, to be proposed for them. */
const mostNumbers = 0.8;

/**
 * The country of numbers without a country code: China, or one whose code others of the numbers have. `international` where all
 * have a code, and `undefined` where none fits, or several do.
 */
export function guessCountry(numbers: readonly string[]): CountryCode | 'international' | undefined {
  const isWhole = (number: string) => /^\(?\+/.test(number);
  const local = numbers.filter((number) => !isWhole(number));
  if (local.length === 0) return numbers.length > 0 ? 'international' : undefined;
  const others = numbers.flatMap((number) => parsePhoneNumberFromString(number)?.country ?? []);
  const found = [...new Set<CountryCode>(['CN', ...others])].map((country) => ({
    country,
    // In China nobody writes 0 before a mobile number: with one it is of a country that does.
    read: local.filter(
      (number) =>
        (country !== 'CN' || !/^0(?!0)/.test(number)) && typeof readPhone(number, country) === 'string',
    ).length,
  }));
  const [best, next] = found.sort((one, other) => other.read - one.read);
  if (!best || best.read < mostNumbers * local.length) return undefined;
  return next && next.read >= mostNumbers * local.length ? undefined : best.country;
}
