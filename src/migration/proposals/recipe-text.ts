import { stringify } from 'yaml';
import { formatCount } from '../../text/format-count.ts';
import { columnsRead } from '../recipes/recipe.ts';
import { shownShare } from '../report/format.ts';
import { shownName } from '../rows/ignored-columns.ts';
import type { Proposal } from './propose-recipe.ts';
import type { Survey } from './survey.ts';

/** Formats a recipe as a person would write it: one line per field, with the fill rate and masked samples of its column. */
export function recipeText(
  { recipe, columns, open }: Proposal,
  survey: Survey,
  { file, reading, rows }: { file: string; reading: readonly string[]; rows: number },
): string {
  const { from, fields, password, ...rest } = recipe;
  const note = (field: string) => {
    const column = columns.get(field);
    if (column) return ` # ${shownShare(column.filled, rows)}: ${column.samples.join(', ')}`;
    return field === 'pwd_must_modify' ? ' # without this line everybody must change the password' : '';
  };
  const used = new Set(columnsRead(recipe));
  const unused = survey.columns.flatMap(({ name, index, filled }) =>
    used.has(name) ? [] : [`${shownName(name, index)} (${shownShare(filled, rows)})`],
  );
  const lines = [
    `# ${file}: ${reading.join(', ')}, ${formatCount(rows, 'row')}. Made by tenant-users recipe make; look through it.`,
    ...open.map((text) => `# Open: ${text}`),
    entry('from', from),
    Object.keys(fields).length > 0 ? 'fields:' : 'fields: {}',
    ...Object.entries(fields).map(([field, rule]) => `  ${entry(field, rule)}${note(field)}`),
    ...(password ? [`${entry('password', password)}${note('hash')}`] : []),
    ...Object.entries(rest).map(([name, value]) => entry(name, value)),
    ...(unused.length > 0 ? [`# Not used: ${unused.join(', ')}`] : []),
  ];
  return `${lines.map((line) => line.replaceAll(/[\r\n]+/g, ' ')).join('\n')}\n`;
}

/** Formats `name: value` on one line. */
function entry(name: string, value: unknown): string {
  return stringify({ [name]: value }, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true })
    .trim()
    .replace(/^\{ (.*) \}$/s, '$1');
}
