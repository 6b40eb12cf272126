import { faultLines, type JsonIssue } from '../json/issue.ts';
import { readJson } from '../json/readers.ts';
import { isAcceptedText } from './check-text.ts';
import { compileDefinition } from './compile-definition.ts';
import type { TenantDefinition } from './definition.ts';
import { readDocument } from './document-readers.ts';

/** A tenant definition, or everything that is wrong with it. */
export type DefinitionResult = { definition: TenantDefinition } | { faults: JsonIssue[] };

/**
 * Reads the JSON text of a tenant definition file; what it leaves out keeps its default. A faulty one is refused
 * whole, with all its faults; a text that is no JSON has one, which tells line and column.
 */
export function readDefinition(given: string): DefinitionResult {
  const reading = readJson(given, readDocument);
  return 'faults' in reading ? reading : { definition: compileDefinition(reading.value) };
}

/** The same for a text that was checked before; throws an `Error` with the faults when it is faulty all the same. */
export function definitionOf(text: string): TenantDefinition {
  const reading = readDefinition(text);
  if ('definition' in reading) return reading.definition;
  throw new Error(`a tenant definition is faulty: ${faultLines(reading.faults).join('; ')}`);
}

/** Names as the service makes them for users who come without one (decision 22). */
const generated = ['user_0123456789', 'user_abcdefghij'];

/** What is allowed in a definition, but was probably not meant: sentences for its author. */
export function definitionWarnings({ attributes }: TenantDefinition): string[] {
  const { user_name: rule } = attributes;
  if (rule.required || generated.every((name) => isAcceptedText(name, rule))) return [];
  return [
    'a user without user_name gets a generated one such as user_a1b2c3d4e5, which breaks attributes.user_name; make it required',
  ];
}
