import { normalUrl } from '../../text/locations/normal-url.ts';
import { ConfigurationError, UsageError } from '../errors/errors.ts';
import type { Sourced } from './settings.ts';

/**
 * Returns a URL in normal form to which credentials may be sent: https, or http on loopback. Otherwise throws an error that fits
 * its origin.
 */
export function checkBaseUrl({ value, origin }: Sourced): string {
  const fault = baseUrlFault(value);
  if (fault === undefined) return normalUrl(value);
  const Fault = origin === 'flag' ? UsageError : ConfigurationError;
  throw new Fault(fault.message, fault.hint);
}

/** Why credentials may not be sent to an address, and what to do; `undefined` if they may. */
export function baseUrlFault(value: string): { message: string; hint: string } | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    // The part before an @ may be a password.
    const shown = value.includes('@') ? '' : ` ${JSON.stringify(value)}`;
    return { message: `the base URL${shown} is not a valid URL`, hint: example };
  }
  if (url.username || url.password || url.search || url.hash) {
    return { message: 'the base URL must not contain credentials, a query or a fragment', hint: example };
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return {
      message: `the base URL ${value} is not https`,
      hint: 'Secrets and personal data are sent to it; http is allowed on loopback only.',
    };
  }
  return undefined;
}

/** A base URL for messages and results, unless it is invalid: the URL may contain a password. */
export function shownBaseUrl(value: string): string {
  return baseUrlFault(value) === undefined ? value : '(not valid)';
}

const example = 'Example: https://id.example.com';

/** True for loopback names and addresses, whose traffic does not leave the machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^127(\.\d{1,3}){3}$/.test(host) || host === '[::1]' || host === '::1';
}
