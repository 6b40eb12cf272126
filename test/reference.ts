import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { type ErrorEntry, errorCatalogue } from '../src/contract/errors.ts';
import type { OperationName } from '../src/contract/operations.ts';

/** Texts of the documentation that the program writes itself, by the name of their place. */
export function generatedBlocks(_program: CommandUnknownOpts): Record<string, string> {
  return { 'api-errors': apiErrors() };
}

const place = /(<!-- generated: (\S+); npm run reference -->)[\s\S]*?(<!-- end -->)/g;

/** A page with what is generated written anew. Throws for a place that has no text. */
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** A `|` would end the cell; an angle bracket outside code would be taken for HTML. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
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
