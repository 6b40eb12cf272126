import type { HashedUser } from '../../contract/wire.ts';
import { compileColumns } from '../rows/columns.ts';
import type { PreparedSource } from '../rows/prepared-source.ts';
import { type ValidatedRow, validateRows } from '../rows/validate-rows.ts';
import { applyRecipe } from './apply-recipe.ts';
import { columnsRead, type NamedRecipe, type RecipeScalar } from './recipe.ts';

/** An example of a recipe whose result differs from what it states. Holds no values but those of the example. */
export interface FailedExample {
  /** Number of the example, from 1. */
  example: number;
  /** The differences, one line each. */
  faults: string[];
}

/** Tries the examples of a recipe and returns those that fail. Each is read and checked like a file of one row in an import. */
export async function checkExamples(named: NamedRecipe): Promise<FailedExample[]> {
  const failed: FailedExample[] = [];
  for (const [index, { in: input, out }] of (named.recipe.examples ?? []).entries()) {
    const row = await rowOf(named, input);
    const faults = row === undefined ? ['it gives no row'] : faultsOf(row, out);
    if (faults.length > 0) failed.push({ example: index + 1, faults });
  }
  return failed;
}

async function rowOf(
  named: NamedRecipe,
  input: Readonly<Record<string, RecipeScalar | null>>,
): Promise<ValidatedRow | undefined> {
  // An example has only the columns that matter; all others are empty.
  const wanted = columnsRead(named.recipe).filter((column) => !(column in input));
  const header = [...Object.keys(input), ...wanted];
  const cells = [...Object.values(input).map(textOf), ...wanted.map(() => '')];
  async function* lists() {
    yield [{ row: 1, line: 1, cells }];
  }
  const source: PreparedSource = {
    file: named.name,
    format: 'csv',
    reading: [],
    mayBeEastern: false,
    digest: '',
    rows: 1,
    fixedColumns: new Map(),
    header: { row: 0, line: 1, cells: header },
    readRows: lists,
    close: async () => {},
  };
  const applied = await applyRecipe(source, named);
  const columns = compileColumns(applied, { allowPasswordless: true, ignoreUnknown: true });
  for await (const [row] of validateRows(applied, columns)) if (row) return row;
  return undefined;
}

function valuesOf({ 'hash-pwd': hash, extension = {}, ...user }: HashedUser): Record<string, string> {
  const values = {
    ...user,
    algorithm: hash?.algorithm,
    hash: hash?.value,
    key: hash?.key,
    ...Object.fromEntries(Object.entries(extension).map(([name, value]) => [`extension.${name}`, value])),
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));
}

/** Compares the result of an example with its `out`: `skipped`, `disabled`, `rejected` with a code, or values of fields. */
function faultsOf(row: ValidatedRow, out: Readonly<Record<string, RecipeScalar | null>>): string[] {
  const { skipped, disabled, rejected, ...values } = out;
  if (row.isSkipped || isTrue(skipped)) {
    return row.isSkipped && isTrue(skipped) ? [] : [row.isSkipped ? 'it is skipped' : 'it is not skipped'];
  }
  if (!row.user) {
    const codes = row.issues.map(({ code }) => code);
    if (codes.some((code) => code === rejected)) return [];
    return row.issues.map(
      ({ column, code, message }) => `${column === undefined ? '' : `${column}: `}${message} (${code})`,
    );
  }
  if (rejected !== undefined) return [`it is not rejected with ${textOf(rejected)}`];
  const made = valuesOf(row.user);
  const faults = Object.entries(values).flatMap(([name, value]) => {
    const is = made[name] ?? '';
    if (is === textOf(value)) return [];
    // Hashes and keys are never shown.
    if (name === 'hash' || name === 'key') return [`${name} is another one`];
    return [`${name} is ${JSON.stringify(is)}, not ${JSON.stringify(textOf(value))}`];
  });
  if (disabled !== undefined && (row.isDisabled === true) !== isTrue(disabled)) {
    faults.push(row.isDisabled ? 'the user is disabled' : 'the user is not disabled');
  }
  return faults;
}

/** Also for `True` and `TRUE`. */
function isTrue(value: RecipeScalar | null | undefined): boolean {
  return textOf(value).toLowerCase() === 'true';
}

function textOf(value: RecipeScalar | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}
