import { isDay } from '../../contract/time.ts';
import { refusal } from '../refusal.ts';
import type { ExtensionRule, TenantDefinition } from '../tenant/definition.ts';
import { isAcceptedText } from './check-text.ts';

const checks: Record<ExtensionRule['type'], (value: string) => boolean> = {
  text: () => true,
  number: (value) => /^-?\d+(\.\d+)?$/.test(value),
  boolean: (value) => value === 'true' || value === 'false',
  date: isDay,
};

/**
 * Holds one extension value, which is not empty, against its definition. Throws `extensionInvalid` with the
 * display name, or with the key where the tenant defines no such attribute (decision 25).
 */
export function checkExtension(key: string, value: unknown, tenant: TenantDefinition): string {
  const rule = tenant.extension.get(key);
  if (!rule) throw refusal('extensionInvalid', key);
  if (typeof value !== 'string' || !isAcceptedText(value, rule) || !checks[rule.type](value)) {
    throw refusal('extensionInvalid', rule.displayName);
  }
  return value;
}
