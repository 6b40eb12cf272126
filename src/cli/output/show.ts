import { once } from 'node:events';
import { guess } from '../../text/edit-distance.ts';
import { errorCode } from '../../text/error-code.ts';
import { printable } from '../../text/printable.ts';
import { wrapWords } from '../../text/wrap-words.ts';
import { withConnection } from '../context/connection-options.ts';
import type { CommandContext, Output } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { cellOf, pagesOf, valueAt } from './formats/cell.ts';
import type { Format, FormatName, Result, Row } from './formats/format.ts';
import { formatJson, formatJsonLines, toJson } from './formats/json.ts';
import { fileLink, paint, type StreamName, type Style, widthOf } from './styles.ts';

/** Loaders of the formats. Formats that need a library are loaded only when they are used. */
const loaders: Record<FormatName, () => Promise<Format>> = {
  table: async () => (await import('./formats/table.ts')).formatTable,
  json: async () => formatJson,
  jsonl: async () => formatJsonLines,
  csv: async () => (await import('./formats/csv.ts')).formatCsv,
  tsv: async () => (await import('./formats/csv.ts')).formatTsv,
};

/** Prints a command's result to stdout in the requested format. */
export async function show(context: CommandContext, result: Result): Promise<void> {
  if (result.id !== undefined && isBrief(context)) await showIds(context, result, result.id);
  else await showFormatted(context, result);
  // Pages may be cut short by what comes next; a result that is there already cannot.
  if (Array.isArray(result.rows)) context.hasResult = true;
}

async function showFormatted(context: CommandContext, result: Result): Promise<void> {
  const { options, stdout } = context;
  const format = await loaders[formatOf(context)]();
  const isTerminal = stdout.isTTY === true;
  const screen = {
    width: isTerminal ? widthOf(stdout) : Number.POSITIVE_INFINITY,
    isTerminal,
    bold: (text: string) => paint(context, 'stdout', 'bold', text),
    note: (text: string) => say(context, text, 'dim'),
  };
  for await (const text of format(result, options.columns, screen)) {
    await write(stdout, text);
    // Pages that are still to come would be read for nobody. A result that is there already belongs to what the command did.
    if (!Array.isArray(result.rows) && isReaderGone(stdout)) throw stdout.errored;
  }
}

/** True if the caller asks for fields of the result: by another format than the table, or by their names. */
export function wantsFields(context: CommandContext): boolean {
  return formatOf(context) !== 'table' || context.options.columns !== undefined;
}

/** Prints a document: as indented JSON, unless the caller asks for another format or for fields. */
export async function showDocument(context: CommandContext, document: Row): Promise<void> {
  const { output = 'json', columns } = context.options;
  if (output !== 'json' || columns) await showRecord(context, document, Object.keys(document));
  else await write(context.stdout, `${toJson(document, 2)}\n`);
}

/** Prints one record, with a line per field in a table. `columns`: its fields if the caller names none; `id`: as in `Result`. */
export function showRecord(
  context: CommandContext,
  record: Row,
  columns: readonly string[],
  id?: string,
): Promise<void> {
  return show(context, { rows: [record], columns, single: true, id });
}

/** Prints a record, except as a table whose columns nobody named: there, a sentence on stderr says all of it. */
export async function showUnlessTable(
  context: CommandContext,
  row: Row,
  columns: readonly string[] = Object.keys(row),
): Promise<void> {
  if (wantsFields(context)) await show(context, { rows: [row], columns });
}

/** True if only the ids of records are printed: with `--quiet`, but without a format or columns of the caller's choice. */
export function isBrief({ options }: CommandContext): boolean {
  return options.quiet === true && !options.json && !options.output && !options.columns;
}

async function showIds({ stdout }: CommandContext, result: Result, id: string): Promise<void> {
  for await (const page of pagesOf(result)) {
    await write(stdout, page.map((row) => `${printable(cellOf(row, id))}\n`).join(''));
  }
}

/** Throws a `UsageError` for the first column that is not in `known`; accepts all without it. `what`: what columns are called. */
export function refuseUnknown(
  columns: readonly string[],
  known: readonly string[] | undefined,
  what = 'column',
): void {
  const unknown = known && columns.find((column) => !known.includes(column.split('.')[0] ?? ''));
  if (unknown === undefined) return;
  const whole = known?.find((name) => name.endsWith(`_${unknown}`)) ?? unknown;
  const names = known?.map((name) => (name === 'extension' ? 'extension.<key>' : name)).join(', ');
  throw new UsageError(
    `unknown ${what} ${JSON.stringify(unknown)}`,
    `${guess(whole, known ?? [])}Available: ${names}.`,
  );
}

/** The requested format; a table by default. */
export function formatOf({ options }: CommandContext): FormatName {
  return options.output ?? (options.json ? 'json' : 'table');
}

/** The columns of counts; a table leaves out those of `rare` that are 0 in every row. A script finds a column by its place. */
export function countColumns(
  context: CommandContext,
  rows: readonly Row[],
  columns: readonly string[],
  rare: readonly string[],
): readonly string[] {
  if (formatOf(context) !== 'table') return columns;
  return columns.filter((column) => !rare.includes(column) || rows.some((row) => valueAt(row, column)));
}

/** True for formats in which all values are text: table, CSV and TSV. */
export function isFlat(context: CommandContext): boolean {
  return ['table', 'csv', 'tsv'].includes(formatOf(context));
}

/** Writes a notice for people to stderr, such as a count. Silent with `--quiet` and `--json`. */
export function say(context: CommandContext, text: string, style?: Style): void {
  if (context.options.quiet || context.options.json) return;
  const lines = linesFor(context, withConnection(context, text));
  context.stderr.write(`${style ? paint(context, 'stderr', style, lines) : lines}\n`);
}

/** Writes a line to stderr that a list of ids needs beside it, also with `--quiet`: what is not in the list, and why. */
export function sayBesideIds(context: CommandContext, text: string): void {
  context.stderr.write(`${linesFor(context, withConnection(context, `tenant-users: ${text}`))}\n`);
}

/** Writes a notice with the path of a file, which is a link on terminals that support links. Silent like `say`. */
export function sayFile(context: CommandContext, text: string, file: string, style?: Style): void {
  if (context.options.quiet || context.options.json) return;
  const lines = linesFor(context, `${text} ${file}`);
  // Not found if the path is wrapped, or contained unsafe characters.
  const at = lines.lastIndexOf(file);
  const end = at + file.length;
  const linked = at < 0 ? lines : `${lines.slice(0, at)}${fileLink(context, file)}${lines.slice(end)}`;
  context.stderr.write(`${style ? paint(context, 'stderr', style, linked) : linked}\n`);
}

/** Writes a warning for people to stderr. Silent like `say`. */
export function warn(context: CommandContext, text: string): void {
  say(context, `Warning: ${text}`, 'yellow');
}

/** Widest line in characters: longer lines are hard to read. */
const readable = 100;

/**
 * Makes text for people safe for a terminal, and wraps it at words to the terminal's width; lines stay whole in a pipe.
 * A line with a command, indented by two, is never wrapped, because it is to be copied and a shell would run each part
 * separately. `label`: how many characters at the start of each line are a label.
 */
export function linesFor(context: CommandContext, text: string, stream: StreamName = 'stderr', label = 0) {
  const output = context[stream];
  const lines = text.split('\n').map(printable);
  if (!output.isTTY) return lines.join('\n');
  const width = Math.min(widthOf(output), readable);
  // A narrow terminal has no room beside the labels.
  const column = label <= width / 2 ? label : 0;
  const wrapped = (line: string) =>
    line.startsWith('  tenant-users ') ? line : wrapWords(line, width, column);
  return lines.map(wrapped).join('\n');
}

/**
 * Writes text and waits until the stream accepts more, so that long output needs little memory. If its reader is gone, the
 * command goes on to its own exit code; `main.ts` ends one that takes long.
 */
export async function write(output: Output, text: string): Promise<void> {
  if (text === '' || output.write(text)) return;
  if (!isReaderGone(output)) await once(output, 'drain');
}

function isReaderGone(output: Output): output is Output & { errored: Error } {
  return 'errored' in output && errorCode(output.errored) === 'EPIPE';
}
