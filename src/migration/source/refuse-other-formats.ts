import { SourceError } from '../model/errors.ts';

/** A kind of file that is often given instead of CSV. */
interface OtherFormat {
  /** What such a file begins with, a character for each byte. */
  start: string | RegExp;
  /** What is not far behind. */
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
  { start: '\u001f\u008b', name: 'a gzip archive', advice: 'unpack it with gunzip' },
  { start: 'SQLite format 3', name: 'an SQLite database', advice: 'export the table of users as CSV' },
  { start: '%PDF-', name: 'a PDF', advice: 'export CSV from the source' },
  {
    start: /^\s*(?:\{\s*"|\[\s*[{\]])/,
    name: 'JSON',
    advice:
      'convert it to CSV with a header, for example jq -r \'(["user_name","hash"], (.[] | [.username, .passwordHash])) | @csv\'; of lines of JSON, add -s',
  },
  {
    start: /^\s*(?:<\?xml|<!doctype|<html|<table)/i,
    name: 'XML or HTML',
    advice: 'export CSV from the source',
  },
  {
    start: /^(?:#[^\n]*\n|\r?\n)*(?:version: *\d+ *\r?\n|dn::? )/i,
    name: 'LDIF',
    advice: 'convert it to CSV with a header, a line for each entry; values after :: are base64',
  },
  {
    start: /^\s*(?:-- |--\n|\/\*|INSERT INTO |CREATE TABLE |DROP TABLE )/i,
    name: 'an SQL dump',
    advice: 'load it into a database, and export the table of users as CSV',
  },
];

/** As much of a file as tells its kind. */
const longestStart = 4096;

/** Throws a `SourceError` for a file that is no CSV by its beginning, and says what it is and what to do. */
export function refuseOtherFormats(file: string, head: Buffer): void {
  const text = head.toString('latin1', 0, longestStart).replace(/^\u00ef\u00bb\u00bf/, '');
  const found = otherFormats.find(
    ({ start, near }) =>
      (typeof start === 'string' ? text.startsWith(start) : start.test(text)) && (near?.test(text) ?? true),
  );
  if (found) throw new SourceError(file, `this is ${found.name}, not CSV; ${found.advice}`);
}
