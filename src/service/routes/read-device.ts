import type { Device } from '../../contract/wire.ts';
import { apiError } from '../errors/api-error.ts';
import { readTextBody } from '../http/body.ts';
import type { Body } from '../validation/check-values.ts';

const required = ['operating_sys_version', 'device_ip', 'device_fingerprint'] as const;

/** Reads the calling device and a secret from a body; throws `ssoFieldMissing` with the name of the first missing field. */
export function readDevice(
  body: Body,
  secretField: 'sso_ticket' | 'session_token',
): Device & { secret: string } {
  const [secret, operating_sys_version, device_ip, device_fingerprint] = [secretField, ...required].map(
    (name) => {
      const value = readTextBody(body, name);
      if (value === '') throw apiError('ssoFieldMissing', name);
      return value;
    },
  ) as [string, string, string, string];
  return { secret, operating_sys_version, device_ip, device_fingerprint };
}
