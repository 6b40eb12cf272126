import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { ownFiles, precedence, variables } from '../src/cli/config/variables.ts';
import { exitCodes } from '../src/cli/errors/exit-codes.ts';
import { allExplained } from '../src/cli/errors/explain/explained.ts';
import type { Explained } from '../src/cli/errors/explain/explained-document.ts';
import { formatMeanings } from '../src/cli/output/formats/format.ts';
import { schemaDocument, schemaNames } from '../src/cli/schemas/schema-document.ts';
import { type Attribute, attributeNames, attributes } from '../src/contract/attributes.ts';
import { type ErrorEntry, errorCatalogue } from '../src/contract/errors.ts';
import type { OperationName } from '../src/contract/operations.ts';
import { passwordColumns } from '../src/migration/rows/fields/fields.ts';
import { warningCodes } from '../src/migration/rows/issues/issues.ts';
import { effectiveDefinitions } from '../src/service/admin/definitions.ts';
import { commandReference } from './command-reference.ts';
import { table } from './markdown-table.ts';

/** Texts of the documentation that the program generates, by the name of their place. */
export async function generatedBlocks(program: CommandUnknownOpts): Promise<Record<string, string>> {
  const [defaultTenant] = await effectiveDefinitions('no such database');
  return {
    'api-errors': apiErrors(),
    commands: commandReference(program),
    'default-tenant': `\`\`\`json\n${JSON.stringify(defaultTenant, null, 2)}\n\`\`\``,
    environment: table(
      ['variable', 'meaning'],
      variables.map(({ names, meaning, page }) => [
        names.map((name) => `\`${name}\``).join(', '),
        meaning + (page ? `: [${page[0]}](${page[1]})` : ''),
      ]),
    ),
    'exit-codes': exitCodeTable(),
    precedence,
    files: table(
      ['file', 'where'],
      ownFiles.map(({ what, where, page }) => [what, where + (page ? `. [${page[0]}](${page[1]})` : '')]),
    ),
    formats: table(
      ['format', 'is'],
      Object.entries(formatMeanings).map(([name, meaning]) => [`\`-o ${name}\``, meaning]),
    ),
    'import-columns': importColumns(),
    'json-output': await jsonOutput(),
    'local-errors': errorTable('local'),
    'program-errors': errorTable('program'),
    'row-issues': rowIssues(),
  };
}

const place = /(<!-- generated: (\S+); npm run reference -->)[\s\S]*?(<!-- end -->)/g;

/** A page with new generated texts. Throws for a place that has no text. */
export function withBlocks(page: string, blocks: Record<string, string>): string {
  return page.replace(place, (_whole, begin: string, name: string, end: string) => {
    const block = blocks[name];
    if (block === undefined) throw new Error(`nothing is generated for the place "${name}"`);
    return `${begin}\n\n${block.trim()}\n\n${end}`;
  });
}

/** Names of the places of a page. */
export function placesOf(page: string): string[] {
  return [...page.matchAll(place)].map(([, , name = '']) => name);
}

const marked: readonly [string, OperationName][] = [
  ['C', 'createUser'],
  ['I', 'importHashedUser'],
  ['M', 'updateUser'],
];

function apiErrors(): string {
  return table(
    ['code', 'message', ...marked.map(([letter]) => letter)],
    Object.values<ErrorEntry>(errorCatalogue).map(({ code, message, on }) => [
      `\`${code}\``,
      message,
      ...marked.map(([, operation]) => (on.includes(operation) ? 'x' : '')),
    ]),
  );
}

const explainedOf = (group: Explained['group']) => allExplained().filter((one) => one.group === group);

function exitCodeTable(): string {
  const names = new Map(Object.entries(exitCodes).map(([name, code]) => [String(code), name]));
  return table(
    ['code', 'name', 'meaning', 'cause', 'what to do'],
    explainedOf('exit').map(({ code, message, cause, remedy }) => [
      code,
      `\`${names.get(code)}\``,
      message,
      cause,
      remedy,
    ]),
  );
}

function errorTable(group: Explained['group']): string {
  return table(
    ['code', 'exit', 'retry?', 'message', 'cause', 'what to do'],
    explainedOf(group).map(({ code, exit_code, retryable, message, cause, remedy }) => [
      `\`${code}\``,
      String(exit_code),
      retryable ? 'yes' : 'no',
      message,
      cause,
      remedy,
    ]),
  );
}

function rowIssues(): string {
  const warnings: readonly string[] = warningCodes;
  return table(
    ['code', 'warning?', 'message', 'cause', 'what to do'],
    explainedOf('import').map(({ code, message, cause, remedy }) => [
      `\`${code}\``,
      warnings.includes(code) ? 'warning' : '',
      message,
      cause,
      remedy,
    ]),
  );
}

function importColumns(): string {
  const [algorithm, value, key] = [passwordColumns.algorithm, passwordColumns.value, passwordColumns.key];
  const names = (spellings: readonly string[]) => spellings.map((name) => `\`${name}\``).join(', or ');
  return table(
    ['column', 'content'],
    [
      ...attributeNames.map((name) => {
        const { label, maxLength }: Attribute = attributes[name];
        const limit =
          maxLength === undefined ? '' : `; at most ${maxLength} characters unless the tenant says otherwise`;
        return [`\`${name}\``, `${label}${limit}`];
      }),
      ['`extension.<key>`', 'the extension attribute with that key'],
      [
        '`pwd_must_modify`',
        '`true` or `false`: must the user choose a new password at the first login? `true` where it is empty',
      ],
      [names(algorithm), 'how the hash was made, see below'],
      [names(value), 'the hash'],
      [names(key), 'the HMAC key, for `hmacsha256_base64_key` only'],
    ],
  );
}

async function jsonOutput(): Promise<string> {
  const rows = schemaNames().map(async (name) => {
    const schema = (await schemaDocument([name], 'document')) as JsonShape & { title: string };
    const shapes = [3, 1].map((deepest) => shapeOf(schema, deepest));
    const shape = shapes.find((text) => text.length < 700) ?? shapes.at(-1);
    return [name === 'error' ? 'an error' : `\`${name}\``, schema.title, `\`${shape}\``];
  });
  return table(['command', 'what', 'keys'], await Promise.all(rows));
}

/** The properties of a JSON Schema that are used here. */
interface JsonShape {
  type?: unknown;
  oneOf?: JsonShape[];
  anyOf?: JsonShape[];
  properties?: Record<string, JsonShape>;
  required?: readonly string[];
  items?: JsonShape;
}

/** A schema in one line, `{users: [{…}], total}`, down to the given number of levels. */
function shapeOf(schema: JsonShape, deepest: number): string {
  const { anyOf, oneOf = anyOf, properties, required = [], items } = schema;
  if (oneOf) return [...new Set(oneOf.map((one) => shapeOf(one, deepest)))].filter(Boolean).join(' or ');
  if (items) return `[${shapeOf(items, deepest) || '…'}]`;
  if (!properties) return schema.type === 'object' ? '{…}' : '';
  if (deepest === 0) return '{…}';
  const keys = Object.entries(properties).map(([name, property]) => {
    const inner = shapeOf(property, deepest - 1);
    return `${name}${required.includes(name) ? '' : '?'}${inner === '' ? '' : `: ${inner}`}`;
  });
  return `{${keys.join(', ')}}`;
}
