import { formatTime } from '../../contract/time.ts';
import { formatCount } from '../../text/format-count.ts';

/** A measured number: three digits below a thousand, whole above. */
export function shownFigure(value: number): string {
  const short = Number(value.toPrecision(3));
  return Math.abs(short) < 1000 ? String(short) : formatCount(Math.round(value));
}

/** A part in per cent, which is 0 % and 100 % only where it is exactly that. */
export function shownShare(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  if (part >= whole) return '100 %';
  const tenths = Math.round((part / whole) * 1000);
  if (tenths === 0) return '< 0.1 %';
  return tenths >= 1000 ? '> 99.9 %' : `${(tenths / 10).toFixed(1)} %`;
}

/** A length of time in words that suit it. */
export function shownDuration(seconds: number): string {
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  if (hours > 0) return `${formatCount(hours)} h ${two(minutes)} min`;
  return `${minutes} min ${two(whole % 60)} s`;
}

/** A moment (epoch milliseconds), with its zone. */
export function shownTime(time: number): string {
  return `${formatTime(time)} UTC`;
}

/** Words as a list: `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Text with no more than so many characters; an ellipsis stands for the rest. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most).join('')}…` : text;
}
