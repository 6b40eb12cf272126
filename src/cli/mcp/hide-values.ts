import type { Assessment } from '../../migration/assess/assessment.ts';
import type { Summary } from '../../migration/model/summary.ts';
import type { Plan } from '../../migration/plan/document/plan-schemas.ts';
import { hidden } from '../../text/redact.ts';

type Printed = Readonly<Record<string, unknown>>;

/** Hides values of an assessment, and names of columns that are not fields: in a file without a header, they are values of a person. */
export function hideWords(printed: Printed): Record<string, unknown> {
  // This is the type that `assess` prints.
  const { unknown_values: unknown, columns, ...rest } = printed as Assessment;
  return {
    ...rest,
    unknown_values: unknown.map((one) => ({ ...one, column: hidden, value: hidden })),
    columns: columns.map(({ name, ...one }) => ({ name: one.field === null ? hidden : name, ...one })),
    status_columns: rest.status_columns.length,
  };
}

/** Hides what a plan says of the columns that are not read, and all of the recipe but its name. */
export function hidePlan(printed: Printed): Record<string, unknown> {
  // This is the type that `plan` and `plan show` print.
  const { reading, people, ...rest } = printed as Plan;
  const { recipe, ...how } = reading;
  const name = typeof recipe === 'object' ? recipe.name : recipe;
  return {
    ...rest,
    reading: { ...how, ...(name === undefined ? {} : { recipe: name }) },
    people: hideColumns({ ...people }),
  };
}

const namesOfColumns = ['ignored_columns', 'salt_columns', 'status_columns'] as const;

/** Hides the names of columns that are not read, and of algorithms that are none, in a summary or a preview. */
export function hideColumns(printed: Printed): Record<string, unknown> {
  // These are the types of the summary, which the preview of a plan has in part.
  const { unknown_algorithms: named, ...known } = printed as Partial<Summary>;
  const rows = Object.values(named ?? {}).reduce((sum, count) => sum + count, 0);
  return {
    ...printed,
    ...Object.fromEntries(
      namesOfColumns.flatMap((name) => (known[name] ? [[name, known[name].map(() => hidden)]] : [])),
    ),
    ...(named ? { unknown_algorithms: rows > 0 ? { [hidden]: rows } : {} } : {}),
  };
}

/** Fields that say nothing about who a user is. */
const shown: ReadonlySet<string> = new Set([
  'user_id',
  'disabled',
  'created_at',
  'updated_at',
  'pwd_change_at',
  'usr_auth_times',
  'usr_last_login',
]);

/** Hides the values that identify a person. Which fields have a value can still be seen. */
export function hideValues(user: Printed): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(user).map(([name, value]) => {
      const isEmpty = value === null || value === '';
      return [name, shown.has(name) || isEmpty ? value : hidden];
    }),
  );
}
