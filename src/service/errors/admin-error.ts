import { CodedError } from '../../contract/coded-error.ts';

/** An error that an administrator can fix, such as a missing tenant or application, or the wrong key file. */
export class AdminError extends CodedError<'USAGE' | 'CONFIGURATION'> {}
