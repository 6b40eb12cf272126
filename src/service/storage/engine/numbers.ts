import { type Numbers, numbersOf, type Statement, type Value } from './database.ts';
import { StoreError } from './store-error.ts';

/** Returns the values of a statement, preceded by the numbers that it takes from its tenant; increments `last`. */
export function takeNumbers({ numbers, values }: Statement, last: Numbers | undefined): readonly Value[] {
  if (!numbers) return values;
  if (!last) throw new StoreError('the table "numbers" has no row of the tenant');
  const taken = numbersOf[numbers].map((name) => {
    last[name] += 1;
    return last[name];
  });
  return [...taken, ...values];
}
