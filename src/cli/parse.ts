import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Option parser: a whole number from 0. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Option parser: a whole number within bounds, both included. */
export function numberBetween(min: number, max: number) {
  return (text: string): number => {
    const value = wholeNumber(text);
    if (value < min || value > max) throw new InvalidArgumentError(`It must be between ${min} and ${max}.`);
    return value;
  };
}

/** Option parser: a number above 0. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1e6)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

/** Option parser: names between commas. */
export function commaList(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It must be names separated by commas.');
  return names;
}

/** Option parser of a repeatable `KEY=VALUE`. */
export function keyValue(text: string, before: Record<string, string> | undefined): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be KEY=VALUE.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Option parser of a repeatable file. */
export function severalFiles(file: string, before: string[] | undefined): string[] {
  return [...(before ?? []), file];
}

/** True for what an HTTP header carries safely: printable ASCII, no blank at either end. */
export function isHeaderText(text: string): boolean {
  return /^[!-~](?:[ -~]*[!-~])?$/.test(text);
}

/** Option parser: text that travels in an HTTP header. */
export function headerText(text: string): string {
  if (isHeaderText(text)) return text;
  throw new InvalidArgumentError('It travels in an HTTP header, and must be printable ASCII characters.');
}
