import { styleText } from 'node:util';
import type { CommandContext } from '../context/context.ts';

/** How a text may be set off from others: little is. */
export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

/** A stream that people read. */
export type StreamName = 'stdout' | 'stderr';

/**
 * The one decision on colours, for each stream by itself: `--no-color` first, then `FORCE_COLOR` and `CLICOLOR_FORCE`
 * (which colour a pipe as well), then `NO_COLOR`, a dumb terminal, and whether it is a terminal at all.
 */
export function hasColors(context: CommandContext, stream: StreamName): boolean {
  const { options, env } = context;
  if (options.color === false) return false;
  if (env.FORCE_COLOR) return !/^(0|false)$/.test(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return !env.NO_COLOR && env.TERM !== 'dumb' && context[stream].isTTY === true;
}

/** Sets a text off, where its stream has colours. */
export function paint(context: CommandContext, stream: StreamName, style: Style, text: string): string {
  // The decision is made here: `styleText` by itself would look at the standard output of the process.
  return hasColors(context, stream) ? styleText(style, text, { validateStream: false }) : text;
}

/** A heading stands alone on its line, but for the usage. */
const headings = /^(?:Usage:|[A-Z][a-z ]+:$)/gm;

/** Help as a person reads it: the headings bold. */
export function paintHelp(context: CommandContext, stream: StreamName, text: string): string {
  return text.replace(headings, (heading) => paint(context, stream, 'bold', heading));
}

const usualWidth = 80;

/** Width of a terminal in characters; the usual one for a terminal that does not know its own. */
export function widthOf({ columns }: { columns?: number }): number {
  return columns !== undefined && columns > 0 ? columns : usualWidth;
}
