import { formatTime } from '../../../contract/time.ts';
import { formatCount } from '../../../text/format-count.ts';

/** Formats a measured number: three digits below a thousand, whole above. */
export function shownFigure(value: number): string {
  const short = Number(value.toPrecision(3));
  return Math.abs(short) < 1000 ? String(short) : formatCount(Math.round(value));
}

/** Formats a number of rows; those of a plan can be users who are in no row of its file. */
export function shownRows({
  rows,
  in_no_row: others = 0,
}: {
  rows: number;
  in_no_row?: number | undefined;
}): string {
  const ofFile = formatCount(rows - others, 'row');
  return others === 0 ? ofFile : `${ofFile} and ${formatCount(others, 'user')} in no row`;
}

/** Formats a share in percent: 0 % and 100 % only if it is exactly that. */
export function shownShare(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  if (part >= whole) return '100 %';
  const tenths = Math.round((part / whole) * 1000);
  if (tenths === 0) return '< 0.1 %';
  return tenths >= 1000 ? '> 99.9 %' : `${(tenths / 10).toFixed(1)} %`;
}

/** Formats a duration, in units that suit its length. */
export function shownDuration(seconds: number): string {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  if (hours > 0) return `${formatCount(hours)} h ${two(minutes)} min`;
  return `${minutes} min ${two(whole % 60)} s`;
}

/** Formats a time (epoch milliseconds), with its zone. */
export function shownTime(time: number): string {
  return `${formatTime(time)} UTC`;
}

/** Words as a list: `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Shortens a text to this many characters and an ellipsis. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}
