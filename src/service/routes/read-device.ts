import { apiError } from '../errors/api-error.ts';
import { readTextField } from '../http/body.ts';
import type { Body } from '../validation/check-values.ts';

/** Maximum characters of each fact about a device; a login stores the fingerprint. */
const longestFact = 512;

/**
 * Control characters that no fact may contain (decision 25a). Headers can have tabs, and what they have beyond ASCII is read byte by
 * byte: there a letter can contain a control character.
 */
const refused = /[^\P{Cc}\t\x80-\x9f]/u;

/** Throws `requestInvalid` if a fact about a device is too long or has a control character. */
export function checkDeviceFact(name: string, value: string): void {
  if (value.length > longestFact)
    throw apiError('requestInvalid', `${name} has more than ${longestFact} characters`);
  if (refused.test(value)) throw apiError('requestInvalid', `${name} has a control character`);
}

/**
 * Returns a fact without the blanks at its ends: a header loses them on its way, and a body does not. Without the condition on what
 * precedes them, each blank within a fact would be the start of another search.
 */
export function withoutBlanks(value: string): string {
  return value.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
}

/**
 * Checks the calling device and a secret in a body, and returns what is compared. Throws `ssoFieldMissing` with the name of the first
 * missing field, and `requestInvalid` for a value that is not a text, is too long or has a control character.
 */
export function readDevice(body: Body, secretField: 'sso_ticket' | 'session_token') {
  const read = (name: string) => {
    const value = readTextField(body, name);
    if (value === '') throw apiError('ssoFieldMissing', name);
    checkDeviceFact(name, value);
    return value;
  };
  const secret = read(secretField);
  for (const name of ['operating_sys_version', 'device_ip']) read(name);
  const device_fingerprint = withoutBlanks(read('device_fingerprint'));
  checkDeviceFact('agent', readTextField(body, 'agent'));
  return { secret, device_fingerprint };
}
