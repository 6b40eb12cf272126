import { formatCount } from '../../text/format-count.ts';
import { shownName } from '../rows/ignored-columns.ts';
import { adviseConditions, conditionFor, type Interview, nobody } from './interview.ts';
import { isKnownWord, mostWords } from './status-look.ts';
import type { ColumnSurvey } from './survey.ts';

/** Neither is known as long as nobody answers. */
const nothing = { chosen: [], ignore: [] };
/** Most columns whose values the question about all others shows, and most values of each. */
const [mostShown, mostValues] = [8, 4];

/** What else a condition on a time can be. */
const ofTimes = 'false for people without a value, or past: true for the end of an account';

/** Asks which columns say who may not log in of those whose names do not show it, but whose values may. */
export function askWhich(
  columns: readonly ColumnSurvey[],
  { ask, leaveOpen }: Interview,
): { chosen: readonly ColumnSurvey[]; ignore: readonly string[] } {
  // A single one is asked about at once.
  if (columns.length < 2) return { chosen: columns, ignore: [] };
  const sorted = columns.toSorted((one, other) => kindsOf(one) - kindsOf(other));
  const shown = sorted.map(
    (column) => `${shownName(column.name, column.index)} (${describeValues(column, mostValues)})`,
  );
  const more = sorted.slice(mostShown).map(({ name, index }) => shownName(name, index));
  const lines = [
    ...(columns.some(({ values }) => values) ? [[conditionFor('COLUMN')] as const] : []),
    ...(columns.some(({ values }) => !values)
      ? [[[{ column: 'COLUMN', filled: true }], ofTimes] as const]
      : []),
  ];
  const open = `${[...shown.slice(0, mostShown), ...more].join(', ')} may say who is disabled: for each that does, ${adviseConditions(lines, true)}; add the others to ignore: of the recipe, and delete this question`;
  const answer = ask({
    id: 'statuses',
    message: 'Which of these columns say that a person may not log in?',
    choices: [
      ...sorted.map(({ name }, at) => ({ value: name, name: shown[at] ?? name })),
      { value: nobody.value, name: 'none of them' },
    ],
    isMany: true,
    open,
  });
  if (answer.length === 0) return nothing;
  if (answer.includes(nobody.value) && answer.length > 1) {
    leaveOpen(open);
    return nothing;
  }
  const isChosen = ({ name }: ColumnSurvey) => answer.includes(name);
  return {
    chosen: columns.filter(isChosen),
    ignore: columns.flatMap((column) => (isChosen(column) ? [] : [column.name])),
  };
}

/** Number of kinds of values by which columns are sorted: flags come first, a status has few words, and a department many. */
function kindsOf({ values }: ColumnSurvey): number {
  if (!values) return 2;
  const known = [...values.keys()].filter(isKnownWord);
  return 2 * known.length >= values.size ? 0 : values.size;
}

/** Describes what a column has, with the most frequent values, or masked ones. */
export function describeValues(
  { values, filled, blank, zeros, samples }: ColumnSurvey,
  most: number = mostWords,
): string {
  const share = `${formatCount(filled - zeros)} of ${formatCount(filled + blank, 'row')}`;
  if (!values) return `a value in ${share}, such as ${samples.join(', ')}`;
  // "1 more" would take as much room as the value itself.
  const more = values.size > most + 1 ? values.size - most : 0;
  const sorted = more > 0 ? [...values].toSorted(([, one], [, other]) => other - one) : [...values];
  const shown = sorted.slice(0, values.size - more).map(([value, rows]) => `${value}: ${formatCount(rows)}`);
  const others = [
    ...(more > 0 ? [`${formatCount(more)} more`] : []),
    ...(blank > 0 ? [`no value: ${formatCount(blank)}`] : []),
  ];
  return [...shown, ...others].join(', ');
}
