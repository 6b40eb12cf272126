import { CodedError } from '../../contract/coded-error.ts';

/** What whoever administers the service can put right: a tenant or an application that is not there, a key file that does not fit. */
export class AdminError extends CodedError<'USAGE' | 'CONFIGURATION'> {
  override readonly name = 'AdminError';
}
