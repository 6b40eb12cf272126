import { formatCount } from '../../text/format-count.ts';
import { mostFrequent } from '../model/most-frequent.ts';
import { type Html, html, section, table } from './html.ts';

/** Renders how many rows differ in each field, or change it, as a section; `undefined` if none does. */
export function fieldsSection(
  fields: Readonly<Record<string, number>>,
  title: string,
  caption: string,
): Html | undefined {
  const rows = mostFrequent(fields);
  if (rows.length === 0) return undefined;
  const byField = table({
    caption,
    rows,
    columns: [
      { title: 'Field', cell: ([field]) => html`<code>${field}</code>` },
      { title: 'Rows', holds: 'number', cell: ([, found]) => formatCount(found) },
    ],
  });
  return section('fields', title, byField);
}
