import type { FormatName } from './format.ts';

/** What each format is, and who it is for. */
export const formatMeanings: Readonly<Record<FormatName, string>> = {
  table: 'a table for people; the default',
  json: 'one document with every field, also --json, which prints failures as JSON too',
  jsonl: 'a line of JSON for each record, as they come',
  csv: 'with a header, for spreadsheets and databases; list --safe guards against formulas',
  tsv: 'a line for each record without a header, for cut, awk and while read; tabs and line breaks in a value are \\t, \\n and \\r',
};
