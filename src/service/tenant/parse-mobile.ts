import { apiError } from '../errors/api-error.ts';
import type { TenantDefinition } from './definition.ts';

const shape = /^(?:\+?(\d{1,4})-)?(\d{1,20})$/;

/**
 * Reads a mobile number as its one true form `<area code>-<number>`: `+86-1…`, `86-1…` and `1…` are the same
 * (decision 19). Throws `areaCodeNotPermitted` or `mobileInvalid`.
 */
export function parseMobile(value: string, tenant: TenantDefinition): string {
  const parts = shape.exec(value);
  if (!parts?.[2]) throw apiError('mobileInvalid');
  const area = parts[1] ?? tenant.mobile.defaultAreaCode;
  const pattern = tenant.mobile.areaCodes.get(area);
  if (!pattern) throw apiError('areaCodeNotPermitted');
  if (!pattern.test(parts[2])) throw apiError('mobileInvalid');
  return `${area}-${parts[2]}`;
}
