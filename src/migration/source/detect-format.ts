import { SourceError } from '../model/errors.ts';

/** A format that is often passed by mistake, and that cannot be read. */
interface OtherFormat {
  /** How such a file begins, with one character for each byte. */
  start: string | RegExp;
  /** Must also occur in the first 4096 bytes. */
  near?: RegExp;
  name: string;
  advice: string;
}

const spreadsheetAdvice =
  'export CSV from the source itself: a spreadsheet may have rounded long numbers and dropped leading zeros already. Otherwise save it as CSV with all columns as text';

const otherFormats: readonly OtherFormat[] = [
  {
    start: 'PK\u0003\u0004',
    near: /mimetypeapplication\/vnd\.oasis|\[Content_Types\]|_rels\/|docProps\/|xl\//,
    name: 'a spreadsheet (.xlsx or .ods)',
    advice: spreadsheetAdvice,
  },
  { start: 'PK\u0003\u0004', name: 'a ZIP archive', advice: 'unpack it, and name the CSV file in it' },
  {
    start: '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1',
    name: 'a spreadsheet (.xls)',
    advice: spreadsheetAdvice,
  },
  {
    start: '\u0028\u00b5\u002f\u00fd',
    name: 'a zstd archive',
    advice: 'unpack it with zstd -d, or compress it with gzip, which is read as it is',
  },
  { start: 'SQLite format 3', name: 'an SQLite database', advice: 'export the table of users as CSV' },
  { start: '%PDF-', name: 'a PDF', advice: 'export CSV from the source' },
  {
    start: /^\s*(?:<\?xml|<!doctype|<html|<table)/i,
    name: 'XML or HTML',
    advice: 'export CSV from the source',
  },
  {
    start: /^\s*(?:-- |--\n|\/\*|INSERT INTO |CREATE TABLE |DROP TABLE |COPY \S+ \([^)]*\) FROM )/i,
    name: 'an SQL dump',
    advice: 'load it into a database, and export the table of users as CSV',
  },
];

/** The formats that can be read, by their names in recipes; in messages they are in capitals. */
export const sourceFormats = ['csv', 'json', 'ldif'] as const;

export type SourceFormat = (typeof sourceFormats)[number];

const readFormats: readonly { format: SourceFormat; start: RegExp }[] = [
  { format: 'json', start: /^\s*(?:\{\s*["}]|(?:\[\s*)+[{\]])/ },
  { format: 'ldif', start: /^(?:#[^\n]*\n|\r?\n)*(?:version: *\d+ *\r?\n|dn::? )/i },
];

/** Number of bytes or characters at the beginning that are examined. */
const longestStart = 4096;

/**
 * Detects the format of a file from its beginning, given as bytes and as text. Throws a `SourceError` for a format that cannot be
 * read; its message names the format and says what to do.
 */
export function detectFormat(file: string, head: Buffer, decoded: string): SourceFormat {
  const bytes = head.toString('latin1', 0, longestStart).replace(/^\u00ef\u00bb\u00bf/, '');
  const found = otherFormats.find(
    ({ start, near }) =>
      (typeof start === 'string' ? bytes.startsWith(start) : start.test(bytes)) &&
      (near?.test(bytes) ?? true),
  );
  if (found) throw new SourceError(file, `this is ${found.name}, not CSV, JSON or LDIF; ${found.advice}`);
  const text = decoded.slice(0, longestStart).replace(/^\ufeff/, '');
  return readFormats.find(({ start }) => start.test(text))?.format ?? 'csv';
}
