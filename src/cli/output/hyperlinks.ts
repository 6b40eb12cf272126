import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CommandContext } from '../context/context.ts';
import { hasColors, type StreamName } from './styles.ts';

type Environment = CommandContext['env'];

/** Terminals that make a link of OSC 8, by what they set in the environment; others would show it as it stands, or break. */
const terminals: readonly ((env: Environment) => boolean)[] = [
  ({ WT_SESSION }) => WT_SESSION !== undefined,
  ({ TERM }) => /^(?:xterm-kitty|xterm-ghostty|alacritty|foot(?:-extra)?)$/.test(TERM ?? ''),
  ({ TERM_PROGRAM }) => /^(?:WezTerm|ghostty|zed|WarpTerminal)$/.test(TERM_PROGRAM ?? ''),
  ({ TERM_PROGRAM, TERM_PROGRAM_VERSION: version }) => TERM_PROGRAM === 'iTerm.app' && isFrom(3, 1, version),
  ({ TERM_PROGRAM, TERM_PROGRAM_VERSION: version }) => TERM_PROGRAM === 'vscode' && isFrom(1, 72, version),
  // 0.50.0 crashed on a link.
  ({ VTE_VERSION }) => Number(VTE_VERSION) > 5000,
];

/**
 * Makes the name of a file a link to it (OSC 8), where the terminal has them. `text` is harmless for a terminal already, and the
 * address has nothing but what a URL may have. As with colours there are none in a pipe and with `NO_COLOR`; `FORCE_HYPERLINK`
 * decides before all of that.
 */
export function fileLink(context: CommandContext, stream: StreamName, text: string, file: string): string {
  if (!hasLinks(context, stream)) return text;
  const url = pathToFileURL(resolve(file));
  // A terminal of another machine must not open a file of its own.
  if (process.platform !== 'win32') url.hostname = hostname();
  return `\x1b]8;;${url.href}\x1b\\${text}\x1b]8;;\x1b\\`;
}

function hasLinks(context: CommandContext, stream: StreamName): boolean {
  const { env } = context;
  if (env.FORCE_HYPERLINK) return env.FORCE_HYPERLINK !== '0';
  if (context[stream].isTTY !== true || env.CI || !hasColors(context, stream)) return false;
  return terminals.some((knows) => knows(env));
}

function isFrom(major: number, minor: number, version = ''): boolean {
  const [first = 0, second = 0] = version.split('.').map(Number);
  return first > major || (first === major && second >= minor);
}
