import { stringify } from 'yaml';

/** Formats what is left to decide, and the remarks, as the first lines of a recipe. */
export function remarks(open: readonly string[], notes: readonly string[]): string[] {
  return [
    ...(open.length > 0
      ? ['# Decide each in the recipe, then delete it here: no import and no plan before.', 'open:']
      : []),
    ...open.map((text) => `  - ${JSON.stringify(text)}`),
    ...notes.map((text) => `# Note: ${text}`),
  ];
}

/** Formats `name: value` on one line, as JSON if a name of a column has several lines. */
export function entry(name: string, value: unknown): string {
  const options = {
    collectionStyle: 'flow',
    lineWidth: 0,
    flowCollectionPadding: true,
    // Readers of YAML 1.1 take a bare No for false.
    compat: 'yaml-1.1',
  } as const;
  const line = stringify({ [name]: value }, options)
    .trim()
    .replace(/^\{ (.*) \}$/s, '$1');
  return line.includes('\n') ? `${name}: ${JSON.stringify(value)}` : line;
}
