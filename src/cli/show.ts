import { once } from 'node:events';
import { UsageError } from './failures.ts';
import { printable } from './formats/cell.ts';
import { type FormatName, loadFormat, type Result } from './formats/formats.ts';
import { paint, type Style, widthOf } from './styles.ts';
import type { Output, Session } from './world.ts';
import { wrapWords } from './wrap-words.ts';

/** Prints a command's result on stdout, in the format that was asked for. Throws `UsageError` for unknown columns. */
export async function show(session: Session, result: Result): Promise<void> {
  refuseUnknown(session.options.columns ?? [], result.knownColumns);
  const format = await loadFormat(formatOf(session));
  for await (const text of format(result, session.options.columns, session)) {
    await write(session.stdout, text);
  }
}

/** Throws `UsageError` for the first column that is not known; any is where `known` is left out. */
export function refuseUnknown(columns: readonly string[], known: readonly string[] | undefined): void {
  const unknown = known && columns.find((column) => !known.includes(column.split('.')[0] ?? ''));
  if (unknown === undefined) return;
  throw new UsageError(`there is no column ${JSON.stringify(unknown)}`, `Known are: ${known?.join(', ')}.`);
}

/** The format that was asked for; a table when none was. */
export function formatOf({ options }: Session): FormatName {
  return options.output ?? (options.json ? 'json' : 'table');
}

/** Says something to a person, on stderr: a count, a notice. Silent with `--quiet` and `--json`. */
export function say(session: Session, text: string, style?: Style): void {
  if (session.options.quiet || session.options.json) return;
  const lines = linesFor(session, text);
  session.stderr.write(`${style ? paint(session, 'stderr', style, lines) : lines}\n`);
}

/** Warns a person, on stderr; silent like `say`. */
export function warn(session: Session, text: string): void {
  say(session, `Warning: ${text}`, 'yellow');
}

/** Longer lines are hard to read. */
const readable = 100;

/** Text for stderr, harmless for a terminal and wrapped at words to its width; in a pipe lines stay whole. */
export function linesFor({ stderr }: Session, text: string): string {
  const lines = printableLines(text);
  return stderr.isTTY ? wrapWords(lines, Math.min(widthOf(stderr), readable)) : lines;
}

/** Writes and waits until the reader has taken it in, so that much output needs little memory. */
export async function write(output: Output, text: string): Promise<void> {
  if (text !== '' && !output.write(text)) await once(output, 'drain');
}

/** Text of several lines, harmless for a terminal. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}
