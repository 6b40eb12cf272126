import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { jsonSchemaOf } from '../../contract/json-schema.ts';
import { UsageError } from '../errors/errors.ts';
import { commandShapes, otherShapes } from './command-shapes.ts';
import type { Shapes, Silent } from './shapes.ts';

/** A form of a command's output: the document of `--json`, or a line of `-o jsonl`. */
type Form = 'document' | 'line';

const all = new Map<string, Shapes | Silent>(Object.entries({ ...commandShapes, ...otherShapes }));

/** Names of all schemas: command paths, `error` and `recipe`. */
export function schemaNames(): string[] {
  return [...all.keys()].filter((name) => shapesOf(name) !== undefined);
}

/** The schema of what a command prints. Throws a `UsageError` if the command prints no JSON or does not exist. */
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

/** The `$id` of a schema. It ends in the major version, which changes only if a field is removed or changes its meaning. */
export function schemaId(path: string, form: Form): string {
  return `urn:tenant-users:schema:${path.replaceAll(' ', '-')}${form === 'line' ? ':line' : ''}:1`;
}

/** The shapes of what a command prints; `undefined` if it prints no JSON. */
export function shapesOf(name: string): Shapes | undefined {
  const entry = all.get(name);
  return entry && 'document' in entry ? entry : undefined;
}

/**
 * Names of the fields of a command's records; `undefined` if they are not known. `isBulk`: of those that it prints if it runs for
 * every row of a file.
 */
export async function fieldsOf(path: string, isBulk: boolean): Promise<string[] | undefined> {
  const shapes = shapesOf(fullPath(path));
  if (!shapes) return undefined;
  const { csv, ...single } = shapes;
  const printed = isBulk && csv ? { ...single, document: csv, line: csv } : single;
  const { oneOf = [], anyOf = [], ...record } = await jsonSchema(printed, 'line');
  const records = [record, ...oneOf, ...anyOf] as JsonSchema[];
  const names = [...new Set(records.flatMap(({ properties = {} }) => Object.keys(properties)))];
  return names.length > 0 ? names : undefined;
}

async function jsonSchema({ document, line, csv }: Shapes, form: Form): Promise<JsonSchema> {
  const chosen = form === 'line' ? (line ?? document) : document;
  const single = typeof chosen === 'function' ? await chosen() : chosen;
  const schema = csv ? v.union([single, csv]) : single;
  // Leaves out the formats of ids and times: another service may use other formats, which are passed on.
  return jsonSchemaOf(schema, { ignoreActions: ['regex', 'iso_date'], isComplete: true });
}

/** Completes a short path: `list` stands for `users list`. */
function fullPath(path: string): string {
  return all.has(path) ? path : `users ${path}`;
}
