/** Leaves out the entries whose value is `undefined`, which marks a value that is not there. */
export function present(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
