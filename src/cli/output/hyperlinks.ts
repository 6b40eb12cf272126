import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandContext } from '../context/context.ts';
import { hasColors } from './styles.ts';

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
