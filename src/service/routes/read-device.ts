import type { Device } from '../../contract/wire.ts';
import { apiError } from '../errors/api-error.ts';
import { readTextBody } from '../http/body.ts';
import type { Body } from '../validation/check-values.ts';

/** Most characters of what a caller says of its device; a login stores its fingerprint. */
const longestFact = 512;

/** Throws `requestInvalid` for a fact of a device that is too long. */
export function checkDeviceFact(name: string, value: string): void {
  if (value.length > longestFact)
    throw apiError('requestInvalid', `${name} has more than ${longestFact} characters`);
}

const required = ['operating_sys_version', 'device_ip', 'device_fingerprint'] as const;

/**
 * Reads the calling device and a secret from a body; throws `ssoFieldMissing` with the name of the first missing field, and
 * `requestInvalid` for a value that is no text or too long.
 */
export function readDevice(
  body: Body,
  secretField: 'sso_ticket' | 'session_token',
): Device & { secret: string } {
  const [secret, operating_sys_version, device_ip, device_fingerprint] = [secretField, ...required].map(
    (name) => {
      const value = readTextBody(body, name);
      if (value === '') throw apiError('ssoFieldMissing', name);
      checkDeviceFact(name, value);
      return value;
    },
  ) as [string, string, string, string];
  checkDeviceFact('agent', readTextBody(body, 'agent'));
  return { secret, operating_sys_version, device_ip, device_fingerprint };
}
