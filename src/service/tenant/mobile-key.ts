import { parseMobile } from '../../contract/normal-forms.ts';
import type { TenantDefinition } from './definition.ts';

/**
 * Returns the key of a mobile number, `<area code>-<number>`, by which it is unique: `+86-1…`, `86-1…` and `1…` have the same key
 * (decision 19); or the name of the error with which the tenant rejects it.
 */
export function readMobileKey(
  value: string,
  tenant: TenantDefinition,
): { key: string } | { error: 'mobileInvalid' | 'areaCodeNotPermitted' } {
  const parsed = parseMobile(value);
  if (!parsed) return { error: 'mobileInvalid' };
  const { area = tenant.mobile.default_area_code, number } = parsed;
  const pattern = tenant.mobile.area_codes.get(area);
  if (!pattern) return { error: 'areaCodeNotPermitted' };
  if (!pattern.test(number)) return { error: 'mobileInvalid' };
  return { key: `${area}-${number}` };
}

/** Returns the key under which a login could read a name as a mobile number of the tenant; `null` if it could not. */
export function mobileKeyOf(name: string, tenant: TenantDefinition): string | null {
  const mobile = readMobileKey(name, tenant);
  return 'key' in mobile ? mobile.key : null;
}
