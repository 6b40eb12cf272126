import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { styleText } from 'node:util';
import type { CommandContext } from '../context/context.ts';

/** The styles that text can have: few, on purpose. */
export type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan';

export type StreamName = 'stdout' | 'stderr';

/**
 * True if a stream gets colors; decided nowhere else. `--no-color` comes first, then `FORCE_COLOR` and `CLICOLOR_FORCE`
 * (which color a pipe as well), then `NO_COLOR`, a dumb terminal, and whether it is a terminal at all.
 */
function hasColors(context: CommandContext, stream: StreamName): boolean {
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

type Environment = CommandContext['env'];

/** Terminals with links (OSC 8), by the variables that they set. Others would show the sequence as text, or break. */
const terminals: readonly ((env: Environment) => boolean)[] = [
  ({ WT_SESSION }) => WT_SESSION !== undefined,
  ({ TERM }) => /^(?:xterm-kitty|xterm-ghostty|alacritty|foot(?:-extra)?)$/.test(TERM ?? ''),
  ({ TERM_PROGRAM }) => /^(?:WezTerm|ghostty|zed|WarpTerminal)$/.test(TERM_PROGRAM ?? ''),
  ({ TERM_PROGRAM, TERM_PROGRAM_VERSION: version }) => TERM_PROGRAM === 'iTerm.app' && isFrom(3, 1, version),
  ({ TERM_PROGRAM, TERM_PROGRAM_VERSION: version }) => TERM_PROGRAM === 'vscode' && isFrom(1, 72, version),
  // VTE 0.50.0 crashed on links.
  ({ VTE_VERSION }) => Number(VTE_VERSION) > 5000,
];

/**
 * Turns the name of a file into a link to it (OSC 8) if the terminal of stderr supports links. The name must be safe for a terminal
 * already; the address is, because a URL has no unsafe characters. Like colors, there are no links in a pipe and with
 * `NO_COLOR`; `FORCE_HYPERLINK` overrides all of that.
 */
export function fileLink(context: CommandContext, file: string): string {
  if (!hasLinks(context)) return file;
  const url = pathToFileURL(resolve(file));
  // With the host name, a terminal on another machine does not open a file of its own.
  if (process.platform !== 'win32') url.hostname = hostname();
  return `\x1b]8;;${url.href}\x1b\\${file}\x1b]8;;\x1b\\`;
}

function hasLinks(context: CommandContext): boolean {
  const { env, stderr } = context;
  if (env.FORCE_HYPERLINK) return env.FORCE_HYPERLINK !== '0';
  if (stderr.isTTY !== true || env.CI || !hasColors(context, 'stderr')) return false;
  return terminals.some((knows) => knows(env));
}

function isFrom(major: number, minor: number, version = ''): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number);
  return first > major || (first === major && second >= minor);
}
