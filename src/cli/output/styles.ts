import { styleText } from 'node:util';
import type { CommandContext } from '../context/context.ts';

/** The styles that text can have: few, on purpose. */
export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

export type StreamName = 'stdout' | 'stderr';

/**
 * True if a stream gets colors; decided nowhere else. `--no-color` comes first, then `FORCE_COLOR` and `CLICOLOR_FORCE`
 * (which color a pipe as well), then `NO_COLOR`, a dumb terminal, and whether it is a terminal at all.
 */
export function hasColors(context: CommandContext, stream: StreamName): boolean {
  const { options, env } = context;
  if (options.color === false) return false;
  if (env.FORCE_COLOR) return !/^(0|false)$/.test(env.FORCE_COLOR);
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return !env.NO_COLOR && env.TERM !== 'dumb' && context[stream].isTTY === true;
}

/** Applies a style to text if its stream has colors. */
export function paint(context: CommandContext, stream: StreamName, style: Style, text: string): string {
  // Validation is off: `styleText` would check the stdout of the process instead of this stream.
  return hasColors(context, stream) ? styleText(style, text, { validateStream: false }) : text;
}

/** Matches the headings of help: alone on a line, except for the usage. */
const headings = /^(?:Usage:|[A-Z][a-z ]+:$)/gm;

export function paintHelp(context: CommandContext, stream: StreamName, text: string): string {
  return text.replace(headings, (heading) => paint(context, stream, 'bold', heading));
}

const usualWidth = 80;

/** Width of a terminal in characters; 80 if the terminal does not know its own. */
export function widthOf({ columns }: { columns?: number }): number {
  return columns !== undefined && columns > 0 ? columns : usualWidth;
}
