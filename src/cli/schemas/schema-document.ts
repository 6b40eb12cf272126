import type { JsonSchema } from '@valibot/to-json-schema';
import { jsonSchemaOf } from '../../contract/json-schema.ts';
import { UsageError } from '../errors/errors.ts';
import { commandShapes, otherShapes } from './command-shapes.ts';
import type { Shapes, Silent } from './shapes.ts';

/** Which of a command's outputs: of `--json`, or a line of `-o jsonl`. */
type Form = 'document' | 'line';

const all = new Map<string, Shapes | Silent>(Object.entries({ ...commandShapes, ...otherShapes }));

/** What the schemas are for: command paths, and `error`. */
export function schemaNames(): string[] {
  return [...all.keys()].filter((name) => shapesOf(name) !== undefined);
}

/** The schema of what a command prints. Throws `UsageError` for what has none. */
export async function schemaDocument(words: readonly string[], form: Form): Promise<JsonSchema> {
  const given = words.join(' ').trim();
  const path = fullPath(given);
  const entry = all.get(path);
  if (entry && 'silent' in entry) throw new UsageError(`${path} prints no JSON: ${entry.silent}`);
  if (!entry) {
    throw new UsageError(
      `there is no schema of ${JSON.stringify(given)}`,
      `There are those of: ${schemaNames().join(', ')}.`,
    );
  }
  const title = form === 'line' ? `${entry.title}: a line of -o jsonl` : entry.title;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaId(path, form),
    $comment: 'version 1.0; fields may be added (1.1, …), none is taken away. Not for --columns.',
    title,
    ...(await jsonSchema(entry, form)),
  };
}

/** The `$id` of a schema; it ends in the major version, which changes only when something is taken away or changes its meaning. */
export function schemaId(path: string, form: Form): string {
  return `urn:tenant-users:schema:${path.replaceAll(' ', '-')}${form === 'line' ? ':line' : ''}:1`;
}

/** What a command prints; `undefined` for one without JSON. */
export function shapesOf(name: string): Shapes | undefined {
  const entry = all.get(name);
  return entry && 'document' in entry ? entry : undefined;
}

/** Names of the fields of a command's records; `undefined` where nobody knows them. */
export async function fieldsOf(path: string): Promise<string[] | undefined> {
  const shapes = shapesOf(fullPath(path));
  if (!shapes) return undefined;
  const { oneOf = [], anyOf = [], ...record } = await jsonSchema(shapes, 'line');
  const records = [record, ...oneOf, ...anyOf] as JsonSchema[];
  const names = [...new Set(records.flatMap(({ properties = {} }) => Object.keys(properties)))];
  return names.length > 0 ? names : undefined;
}

async function jsonSchema({ document, line }: Shapes, form: Form): Promise<JsonSchema> {
  const chosen = form === 'line' ? (line ?? document) : document;
  const schema = typeof chosen === 'function' ? await chosen() : chosen;
  // Another service may make ids and times of another form: what it sends is passed on.
  return jsonSchemaOf(schema, { ignoreActions: ['regex', 'iso_date'], isComplete: true });
}

/** `list` stands for `users list`. */
function fullPath(path: string): string {
  return all.has(path) ? path : `users ${path}`;
}
