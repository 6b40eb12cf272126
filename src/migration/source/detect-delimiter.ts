import { SourceError } from '../model/errors.ts';

/** Delimiters that are detected, and their names. */
export const delimiters = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
} as const satisfies Record<string, string>;

export type Delimiter = keyof typeof delimiters;

/** The delimiters, in the order in which they are tried. */
export const delimiterList = Object.keys(delimiters) as Delimiter[];

const namesOfDelimiters = new Map<string, Delimiter>([
  ['\\t', '\t'],
  ['bar', '|'],
  ['pipe', '|'],
  ...delimiterList.flatMap((one) => [[one, one] as const, [delimiters[one], one] as const]),
]);

/** Returns the delimiter with this name or spelling (`;`, `semicolon`, `\t`, `tab` …); `undefined` if there is none. */
export function delimiterNamed(name: string): Delimiter | undefined {
  return namesOfDelimiters.get(name.toLowerCase());
}

/** How the rows of a CSV file are read. */
export interface CsvDialect {
  delimiter: Delimiter;
  /** True if the first line is the `sep=;` of a spreadsheet and not the header. */
  separatorLine: boolean;
  /** The column names, if no row holds them. */
  header: readonly string[] | undefined;
}

const separatorLine = /^sep=(.)(?:\r\n|\n|\r|$)/i;

/**
 * Detects the delimiter by the header: the one that gives the most names of which `fieldOf` knows the field, then the most names. `text` is the
 * beginning of the file. Throws a `SourceError` if two delimiters tie, or if a `sep=` line names no delimiter.
 */
export function detectDelimiter(
  file: string,
  text: string,
  fieldOf: (name: string) => string | undefined,
  given?: Delimiter,
): Omit<CsvDialect, 'header'> {
  const start = text.replace(/^\uFEFF?[\r\n]*/, '');
  const declared = separatorLine.exec(start)?.[1];
  const named = declared === undefined ? undefined : namesOfDelimiters.get(declared);
  if (declared !== undefined && !named) {
    const fault = `the line sep=… does not name a delimiter; use ${Object.values(delimiters).join(', ')}, or remove the line`;
    throw new SourceError(file, fault, 1);
  }
  if (given ?? named) return { delimiter: given ?? named ?? ',', separatorLine: named !== undefined };
  const counts = delimiterList.map((delimiter) => {
    const names = namesOf(start, delimiter);
    return { delimiter, names: names.length, known: names.filter(fieldOf).length };
  });
  const [best, next] = counts.sort((one, other) => other.known - one.known || other.names - one.names);
  if (!best || !next) throw new RangeError('there are delimiters');
  if (best.known === next.known && best.names === next.names && best.names > 1) {
    const fault = `the header can be read with ${delimiters[best.delimiter]} or ${delimiters[next.delimiter]} as the delimiter; name the right one`;
    throw new SourceError(file, fault, 1);
  }
  return { delimiter: best.delimiter, separatorLine: false };
}

/** Cells of the first row. Ignores broken quotes, which the first pass reports with their line. */
function namesOf(text: string, delimiter: Delimiter): string[] {
  const names: string[] = [];
  let name = '';
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) break;
    else if (!quoted && character === delimiter) {
      names.push(name);
      name = '';
    } else name += character;
  }
  return [...names, name];
}
