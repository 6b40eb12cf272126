import type { NetworkFault } from '../../client/errors.ts';
import type { Explanation } from '../../contract/error-explanations.ts';
import type { ExitName } from './exit-codes.ts';

/** An error that this program finds itself, without a code of the API. */
export interface OwnError extends Explanation {
  message: string;
  exit: ExitName;
}

/** Every code of an error on stderr that is not the API's. */
export const ownErrors = {
  USAGE: {
    message: 'The command line, or a file given to it, is not what the command needs',
    cause:
      'An option, an argument or a value is unknown, missing, malformed, or excludes another; or a file cannot be read. Nothing was done.',
    remedy: 'Add --help to see how it is used.',
    retryable: false,
    exit: 'usage',
  },
  CONFIGURATION: {
    message: 'A profile, the configuration file, the environment or a database is not what it must be',
    cause:
      'There is no profile of that name, a value is missing or malformed, or a file of the configuration cannot be used. Nothing was sent.',
    remedy:
      'See where each value comes from with tenant-users status; make a profile with tenant-users login.',
    retryable: false,
    exit: 'configuration',
  },
  NETWORK: {
    message: 'No usable answer came from the service',
    cause:
      'The host is unknown, refuses connections or does not answer in time, its TLS certificate is not accepted, a gateway before it fails, or something else answers there. In the report of an import: the row did not reach the service, and nothing was written.',
    remedy:
      'Check the base URL (tenant-users status), the network and the proxy, then run the command again.',
    retryable: true,
    exit: 'network',
  },
  SOURCE: {
    message: 'The CSV file cannot be imported as it is',
    cause:
      'It cannot be read, is not UTF-8, has a header that the importer does not know, or its quotes do not close. It is read as a whole before the first row is sent: nothing was sent.',
    remedy: 'Nothing was sent: mend what the message names, then run the import again.',
    retryable: false,
    exit: 'usage',
  },
  JOB_DIRECTORY: {
    message: 'The job directory cannot take the books of this import',
    cause:
      'Another import is at work on it, it holds the books of an import of another file, mapping or tenant, is no directory, or cannot be written; or the directory for temporary files cannot be.',
    remedy: 'Let the other import end, name another directory with --job, or begin anew with --restart.',
    retryable: false,
    exit: 'configuration',
  },
  MAX_FAILURES: {
    message: 'An import stopped because more rows failed than were to be borne',
    cause:
      'Rows failed, invalid, in conflict or without an answer are more than --max-failures allows; a share is judged from 100 rows on. The rows that were not sent are pending.',
    remedy: 'See failures.csv in the job directory, mend the cause, then run the same command again.',
    retryable: false,
    exit: 'stopped',
  },
  CANARY_FAILED: {
    message: 'An import stopped before anything was sent, because a known password does not match its hash',
    cause:
      'A canary names a user and the password of the older system; the hash of that row, by its algorithm and key, is of another password. All who have hashes made in the same way could not log in. In a rehearsal: the canary was refused at the login.',
    remedy:
      'Follow the remedy that the error names, or try one row: tenant-users hash verify --csv FILE --by-user-name NAME. Then run the same command again.',
    retryable: false,
    exit: 'stopped',
  },
  SYSTEMIC: {
    message: 'An import stopped because its rows all failed in the same way',
    cause:
      'Of the last 200 rows that were sent none became a user and nearly all were refused with one code, or of the first 50. The rows that were not sent are pending.',
    remedy:
      'Mend the cause, which the code of the rows names, then run the same command again; --max-failures 100% never stops.',
    retryable: false,
    exit: 'stopped',
  },
  HOST_GONE: {
    message: 'An import stopped because the service did not answer any more',
    cause:
      'Every call for half a minute was refused, timed out or broke off, or something else than the API answered. The rows that were not sent are pending.',
    remedy: 'Run the same command again when the service answers.',
    retryable: true,
    exit: 'network',
  },
  THROTTLED: {
    message: 'An import stopped because the service let nothing through',
    cause:
      'Every call for two minutes was turned away as one too many (429). The rows that were not sent are pending.',
    remedy: 'Ask for a higher limit, or run the same command again later.',
    retryable: true,
    exit: 'network',
  },
  PASSWORD_EXPIRED: {
    message: 'The password is right, but must be changed before the first session',
    cause: 'The user was created with pwd_must_modify true, which is the default of the API.',
    remedy: 'Import or create the user with pwd_must_modify false to skip this.',
    retryable: false,
    exit: 'refused',
  },
  HASH_MISMATCH: {
    message: 'The password does not match the hash',
    cause: 'It is another password, or the hash was made or exported in a way that the API does not read.',
    remedy:
      'No known mistake of an export fits, neither one alone nor two together: check that password and hash are of the same user.',
    retryable: false,
    exit: 'refused',
  },
  INCOMPLETE: {
    message: 'The listing is not complete',
    cause:
      'Users were changed or vanished while their pages were read, or the service counts users that it did not show; or, as CSV, a user has an extension attribute that was not known when the header was written. The message says which.',
    remedy:
      'Run the command again when fewer changes are under way; for CSV, with the --columns that it names.',
    retryable: true,
    exit: 'incomplete',
  },
  UNEXPECTED: {
    message: 'The program failed in a way that was not foreseen',
    cause: 'A fault of this program, or of the machine that it runs on.',
    remedy: 'This should not happen; please report it.',
    retryable: false,
    exit: 'unexpected',
  },
} as const satisfies Record<string, OwnError>;

export type OwnCode = keyof typeof ownErrors;

/** What to do next when no usable answer came. */
export const networkRemedies: Record<NetworkFault, string> = {
  unreachable: 'Check the base URL (tenant-users status), the network and the proxy.',
  timeout: 'Try again, with a longer --timeout where the service is slow.',
  tls: 'Check the base URL; for a private authority name its certificates with NODE_EXTRA_CA_CERTS.',
  proxy: 'Check the proxy variables (HTTPS_PROXY), or list the host in NO_PROXY.',
  interrupted: 'Try again; after a write, look first whether it was carried out.',
  unavailable: 'Try again later.',
  notTheApi: 'Check the base URL (tenant-users status).',
};
