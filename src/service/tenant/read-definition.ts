import { readJson } from '../json/read-json.ts';
import type { Reading } from '../json/read-value.ts';
import { isAcceptedText } from './check-text.ts';
import { type TenantDefinition, tenantDefinition } from './definition.ts';

/**
 * Reads the JSON text of a tenant definition file; missing keys have their defaults. An invalid definition is rejected as a whole,
 * with all its issues; a text that is not JSON has one, with its line and column.
 */
export function readDefinition(text: string): Reading<TenantDefinition> {
  return readJson(text, tenantDefinition);
}

/** Examples of the user names that the service generates for users without one (decision 22). */
const generated = ['user_0123456789', 'user_abcdefghij'];

/** Returns warnings for the author of a definition: what is allowed, but was probably not meant. */
export function definitionWarnings({ attributes }: TenantDefinition): string[] {
  const { user_name: rule } = attributes;
  if (rule.required || generated.every((name) => isAcceptedText(name, rule))) return [];
  return [
    'a user without user_name gets a generated one such as user_a1b2c3d4e5, which breaks attributes.user_name; make it required',
  ];
}
