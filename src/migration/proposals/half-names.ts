import { mayBeHalfName } from '../rows/fields/suggest-field.ts';

/** What is known of a column that may hold names. */
interface NameColumn {
  field: string | undefined;
  word: string;
  isOfPerson: boolean;
  filled: number;
  /** Forms of its most frequent values, such as `Aaaa`. */
  samples: readonly string[];
}

const hasLetters = (mask: string) => /[aA文]/.test(mask);

/** True for a column of names of which only the other columns say whether they are whole. */
export function isHalfName({ field, word, isOfPerson, samples }: NameColumn): boolean {
  return field === undefined && isOfPerson && mayBeHalfName(word) && samples.some(hasLetters);
}

/** True for a column that is called `name`, and has a single word in each row that was looked at. */
function isOneWord({ word, isOfPerson, samples }: NameColumn): boolean {
  return (
    /^name$/i.test(word) &&
    isOfPerson &&
    samples.length > 0 &&
    samples.every((mask) => /^[Aa'’-]+$/.test(mask))
  );
}

/** Gives the half of the name that is missing beside the other to a column that may be it. */
export function completeNames<Column extends NameColumn>(columns: Column[]): Column[] {
  const [hasFirst, hasLast] = ['first_name', 'last_name'].map((half) =>
    columns.some(({ field, isOfPerson, filled }) => field === half && isOfPerson && filled > 0),
  );
  if (hasFirst === hasLast) return columns;
  const field = hasFirst ? 'last_name' : 'first_name';
  const isHalf = (column: Column) => isHalfName(column) || isOneWord(column);
  return columns.map((column) => (isHalf(column) ? { ...column, field } : column));
}
