import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { FailureLimit } from '../migration/failure-limit.ts';
import { numberBetween } from './parse.ts';

/** Most rows on the wire at the same time that can be asked for; `auto` finds 256 at most. */
export const mostConcurrent = 512;

/** Option parser: a number of rows, or `auto`. */
export function concurrency(text: string): number | 'auto' {
  return text === 'auto' ? text : numberBetween(1, mostConcurrent)(text);
}

/** Option parser: a number of rows, or a share such as `5%` or `0.5%`. */
export function failureLimit(text: string): FailureLimit {
  const [, number = '', percent] = /^(\d{1,9}(?:\.\d{1,4})?)(%)?$/.exec(text) ?? [];
  const value = Number(number);
  if (number !== '' && percent && value <= 100) return { share: value / 100 };
  if (/^\d+$/.test(text)) return { rows: value };
  throw new InvalidArgumentError('It must be a number of rows, or a share such as 5%.');
}
