import { isAcceptedText } from '../rules/check-text.ts';
import type { TenantDefinition } from './definition.ts';

/** Names as the service makes them for users who come without one (decision 22). */
const generated = ['user_0123456789', 'user_abcdefghij'];

/** What is allowed in a definition, but was probably not meant: sentences for its author. */
export function doubtsAbout({ attributes }: TenantDefinition): string[] {
  const { user_name: rule } = attributes;
  if (rule.required || generated.every((name) => isAcceptedText(name, rule))) return [];
  return [
    'a user without user_name gets a generated one such as user_a1b2c3d4e5, which breaks attributes.user_name; make it required',
  ];
}
