import { parseMobile } from '../../contract/normal-forms.ts';
import { apiError } from '../errors/api-error.ts';
import type { TenantDefinition } from './definition.ts';

/**
 * Reads a mobile number as its one true form `<area code>-<number>`: `+86-1…`, `86-1…` and `1…` are the same
 * (decision 19). Throws `areaCodeNotPermitted` or `mobileInvalid`.
 */
export function mobileKey(value: string, tenant: TenantDefinition): string {
  const parsed = parseMobile(value);
  if (!parsed) throw apiError('mobileInvalid');
  const { area = tenant.mobile.default_area_code, number } = parsed;
  const pattern = tenant.mobile.area_codes.get(area);
  if (!pattern) throw apiError('areaCodeNotPermitted');
  if (!pattern.test(number)) throw apiError('mobileInvalid');
  return `${area}-${number}`;
}
