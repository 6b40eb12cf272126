import { InvalidArgumentError } from '@commander-js/extra-typings';
import type { HashAlgorithm } from '../../../contract/attributes.ts';
import { hashAlgorithms } from '../../../contract/attributes.ts';
import type { ColumnOptions } from '../../../migration/rows/column-options.ts';
import type { Columns } from '../../../migration/rows/columns.ts';
import { type WarningCode, warningCodes } from '../../../migration/rows/issues.ts';
import { type Delimiter, delimiterNamed, delimiters } from '../../../migration/source/detect-delimiter.ts';
import { type EncodingName, encodingNamed, encodings } from '../../../migration/source/encodings.ts';
import type { Source } from '../../../migration/source/open-source.ts';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { invalidFile, readSecret, readText } from '../../input/read-input.ts';

/** Option parser of a repeatable `--map FIELD=COLUMN`; a column may have any name, even one with `=`. */
export function mapOption(
  text: string,
  before: ColumnOptions['map'] = [],
): NonNullable<ColumnOptions['map']> {
  const [field, column] = pair(text, 'FIELD=COLUMN');
  return [...before, { field, column }];
}

/** Option parser of a repeatable `--set FIELD=VALUE`. */
export function setOption(
  text: string,
  before: ColumnOptions['set'] = [],
): NonNullable<ColumnOptions['set']> {
  const [field, value] = pair(text, 'FIELD=VALUE');
  return [...before, { field, value }];
}

/** Option parser of `--encoding`. */
export function encodingOption(text: string): EncodingName {
  const found = encodingNamed(text);
  if (!found) throw new InvalidArgumentError(`must be one of ${Object.keys(encodings).join(', ')}`);
  return found;
}

/** Option parser of `--delimiter`, by character or name. */
export function delimiterOption(text: string): Delimiter {
  const found = delimiterNamed(text);
  if (!found) throw new InvalidArgumentError('must be , ; | or tab');
  return found;
}

/** Option parser of `--algorithm`. */
export function algorithmOption(text: string): HashAlgorithm {
  const found = hashAlgorithms.find((name) => name === text);
  if (!found) throw new InvalidArgumentError(`must be one of ${hashAlgorithms.join(', ')}`);
  return found;
}

/** Option parser of a repeatable `--accept CODE`. */
export function acceptOption(text: string, before: readonly WarningCode[] = []): readonly WarningCode[] {
  const found = warningCodes.find((code) => code === text);
  if (!found) throw new InvalidArgumentError(`must be one of ${warningCodes.join(', ')}`);
  return [...before, found];
}

/** What the options that name files stand for. */
interface FileOptions {
  map?: ColumnOptions['map'];
  mapFile?: string;
  keyFile?: string;
  keyStdin?: true;
}

/** The mapping and the key, with what is in files and on standard input. Throws `UsageError`. */
export async function readChoices(
  context: CommandContext,
  options: FileOptions,
): Promise<Pick<ColumnOptions, 'map' | 'key'>> {
  const { map = [], mapFile, keyFile, keyStdin } = options;
  if (keyStdin && keyFile !== undefined)
    throw new UsageError('--key-stdin and --key-file cannot be used together');
  const source = keyStdin ? '-' : keyFile;
  const key = source === undefined ? {} : { key: await readSecret(context, source, 'HMAC key') };
  if (mapFile === undefined) return { map, ...key };
  const fromFile = await readMap(mapFile, await readText(context, mapFile));
  // What is said on the command line comes in the place of what the file says.
  const said = new Set(map.map(({ field }) => field));
  return { map: [...fromFile.filter(({ field }) => !said.has(field)), ...map], ...key };
}

/** A line on how the file is read. */
export function describeSource(
  { file, encoding, delimiter, rows }: Pick<Source, 'file' | 'encoding' | 'delimiter' | 'rows'>,
  { known }: Pick<Columns, 'known'>,
): string {
  const names = known.map(({ name, target }) => (name === target ? name : `${name} (as ${target})`));
  return `${file}: ${encoding}, ${delimiters[delimiter]}, ${rows} rows; columns used: ${names.join(', ')}`;
}

async function readMap(file: string, text: string): Promise<NonNullable<ColumnOptions['map']>> {
  if (!text.trimStart().startsWith('{')) {
    const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
    return lines.flatMap((line, index) => {
      if (line.trim() === '' || line.startsWith('#')) return [];
      const at = line.indexOf('=');
      if (at < 1) throw new UsageError(`${file}, line ${index + 1}: expected FIELD=COLUMN`);
      return [{ field: line.slice(0, at), column: line.slice(at + 1) }];
    });
  }
  const [{ readJson }, { record, string }] = await Promise.all([
    import('../../../service/json/read-json.ts'),
    import('../../../service/json/file-schemas.ts'),
  ]);
  const column = string(() => true, 'a column name in quotes');
  const reading = readJson(text, record(column, column));
  if ('value' in reading) return Object.entries(reading.value).map(([field, column]) => ({ field, column }));
  const hint = 'Write {"user_name": "Login"} or lines of FIELD=COLUMN.';
  throw await invalidFile(file, 'a valid mapping', reading.issues, hint);
}

function pair(text: string, shape: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError(`must be ${shape}`);
  return [text.slice(0, at), text.slice(at + 1)];
}
