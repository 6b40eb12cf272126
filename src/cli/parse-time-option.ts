import { InvalidArgumentError } from '@commander-js/extra-typings';
import { parseTime } from '../contract/time.ts';

/** Option parser: a time as the API writes it, or a day, which stands for its first second. */
export function parseTimeOption(text: string): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text} 00:00:00` : text.replace('T', ' ');
  if (parseTime(time) === undefined)
    throw new InvalidArgumentError('It must be yyyy-MM-dd or yyyy-MM-dd HH:mm:ss.');
  return time;
}
