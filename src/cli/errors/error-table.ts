import type { NetworkFault } from '../../client/errors.ts';
import { errorCatalogue, localErrors } from '../../contract/errors.ts';
import { type ExitName, exitCodes, type OwnError } from './exit-codes.ts';

const unchanged = 'Nothing was sent.';

/** All codes of errors on stderr that are not the API's. */
export const ownErrors = {
  USAGE: {
    message: 'The command line, or a file given to it, is invalid',
    cause:
      'An option, argument or value is unknown, missing, malformed or conflicts with another, or a file cannot be read. Nothing was done.',
    remedy: 'Add --help to see how it is used.',
    exit: 'usage',
  },
  CONFIGURATION: {
    message: 'A profile, the configuration file, the environment or a database is invalid',
    cause:
      'The profile does not exist, a value is missing or malformed, or a configuration file cannot be used. Nothing was sent.',
    remedy:
      'To see where each value comes from, run tenant-users status. To create a profile, run tenant-users login.',
    exit: 'configuration',
  },
  NETWORK: {
    message: 'The service sent no usable response',
    cause:
      'The host is unknown, refuses connections or does not respond in time, its TLS certificate is not trusted, a gateway in front of it fails, or another service responds.',
    remedy:
      'Check the base URL (tenant-users status), the network and the proxy, then run the command again.',
    retryable: true,
    exit: 'network',
  },
  SOURCE: {
    message: 'The file of users cannot be imported',
    cause:
      'The file cannot be read, its format or encoding is not supported, it has unknown columns, or a quote is not closed. The whole file is checked before the first row is sent; where the file changes after that, the message says how many rows were sent.',
    remedy: 'Nothing was sent. Fix the problem that the message names, then run the command again.',
    exit: 'usage',
  },
  JOB_DIRECTORY: {
    message: 'The job directory cannot be used for this import',
    cause:
      'The directory is in use by another run, belongs to an import of another file, mapping or tenant, is not a directory, or cannot be written; or the directory for temporary files cannot be written.',
    remedy:
      'Wait for the other run to end, use another directory with --job (--to for a plan or a comparison), or start over with --restart.',
    exit: 'configuration',
  },
  MAX_FAILURES: {
    message: 'The import stopped because too many rows failed',
    cause:
      'More rows failed, were invalid, were in conflict or got no response than --max-failures allows. A percentage applies from 100 rows on. Rows that were not sent are pending.',
    remedy: 'See failures.csv in the job directory, fix the cause, then run the same command again.',
    exit: 'stopped',
  },
  CANARY_FAILED: {
    message: 'The import stopped, because a known password does not match its hash or is not accepted',
    cause:
      'A canary is a user whose password in the old system is known. The hash in the row of that user does not match the password, so users with hashes made in the same way could not log in. In a rehearsal, or on the tenant with --ramp: the login of the canary was rejected, or could not be tried.',
    remedy:
      'Follow the advice in the error, or test one row: tenant-users hash verify --csv FILE --by-user-name NAME. Then run the same command again. A canary who was created keeps the hash that was sent: name another one.',
    exit: 'stopped',
  },
  SYSTEMIC: {
    message: 'The import stopped because nearly all rows failed with the same error',
    cause:
      'None of the first 50 rows, or of the last 200 rows, was imported, and nearly all were rejected with the same code. Rows that were not sent are pending.',
    remedy:
      'Fix the cause, which the error code of the rows names, then run the same command again. With --max-failures 100% rows that fail do not stop the import.',
    exit: 'stopped',
  },
  HOST_GONE: {
    message: 'The import stopped because the service no longer works',
    cause:
      'For half a minute every request was refused, timed out, was cut off or failed in the service (500), or 20 answers in a row came from another service. Rows that were not sent are pending.',
    remedy: 'Run the same command again when the service works.',
    retryable: true,
    exit: 'network',
  },
  THROTTLED: {
    message: 'The import stopped because the service throttled every request',
    cause: 'For two minutes every request was throttled (429). Rows that were not sent are pending.',
    remedy: 'Ask for a higher rate limit, or run the same command again later.',
    retryable: true,
    exit: 'network',
  },
  PASSWORD_EXPIRED: {
    message: 'The password is correct, but must be changed before the first session',
    cause: 'The user was created with pwd_must_modify=true, the default of the API.',
    remedy: 'To avoid this, import or create the user with pwd_must_modify=false.',
    exit: 'refused',
  },
  HASH_MISMATCH: {
    message: 'The password does not match the hash',
    cause:
      'The password is different, or the hash was made or exported in a way that the API does not support.',
    remedy:
      'Check that the password and the hash belong to the same user. No known export mistake, and no pair of them, explains the difference.',
    exit: 'refused',
  },
  NOT_ENSURED: {
    message: 'The user cannot be made what is asked for',
    cause:
      'The identifiers belong to several users or to somebody else, the user is disabled, or the external ID differs, which the API cannot change. Nothing was changed.',
    remedy: 'The error names who has which identifier. Correct the values, or add --key.',
    exit: 'refused',
  },
  INCOMPLETE: {
    message: 'The listing is incomplete',
    cause:
      'Users were changed or disappeared during the listing, or the service counts users that it did not send. In CSV: a user has an extension attribute that was not known when the header was written. The message says which.',
    remedy: 'Run the command again at a quieter time; for CSV, with the --columns in the message.',
    retryable: true,
    exit: 'incomplete',
  },
  PLAN_CHANGED: {
    message: 'The plan was changed after it was made',
    cause: `One of plan.json, actions.jsonl and plan.key is missing, or a byte of it is not what it was. ${unchanged}`,
    remedy: 'Make the plan again: tenant-users plan FILE',
    exit: 'configuration',
  },
  PLAN_FILE: {
    message: 'The file of the plan was changed',
    cause: `The file was changed after the plan was made, or it is missing. ${unchanged}`,
    remedy: 'Restore the file, or make a plan of the changed one and have it approved.',
    exit: 'configuration',
  },
  PLAN_MAPPING: {
    message: 'The file would be read differently than when the plan was made',
    cause: `The HMAC key is another one or missing, or this version of the program reads columns differently. ${unchanged}`,
    remedy: 'Give the same key with --key-file, or make the plan again.',
    exit: 'configuration',
  },
  PLAN_TARGET: {
    message: 'The plan was made for another tenant',
    cause: `The base URL, the client id or the database is not that of the plan. ${unchanged}`,
    remedy: 'Select the profile of the plan or job with --profile, or make a plan for this tenant.',
    exit: 'configuration',
  },
  PLAN_SIGNATURE: {
    message: 'The plan is not signed with the key that is required',
    cause: `There is no signature, it does not belong to these bytes, or another key made it. ${unchanged}`,
    remedy: 'Have the plan approved again: tenant-users plan sign DIRECTORY KEY',
    exit: 'configuration',
  },
  PLAN_APPLIED: {
    message: 'The plan was applied already',
    cause: `A plan can be applied only once, because applying it changes the tenant. ${unchanged}`,
    remedy: 'Make a new plan, in another directory.',
    exit: 'configuration',
  },
  EVIDENCE_CHANGED: {
    message: 'The evidence was changed after it was packed',
    cause:
      'A line was changed, removed or added, or the counts are not those of the rows; the message names the line. Or the file cannot be read.',
    remedy: 'Do not rely on this file: ask for the original.',
    exit: 'configuration',
  },
  EVIDENCE_SIGNATURE: {
    message: 'The evidence is not signed with the key that was given',
    cause: 'There is no signature, it was changed, or another key made it; or a key is not an Ed25519 key.',
    remedy: 'Ask who signed it for their public key, or pack it again: tenant-users evidence JOB --sign KEY',
    exit: 'configuration',
  },
  PLAN_LIMIT: {
    message: 'The plan would do more than is allowed',
    cause:
      'There are more actions of a kind than --at-most allows; without it, disabling more than 10 % of the users is not allowed. No plan was made, and none was resumed.',
    remedy: 'Check that the file is the right one and complete. If it is, allow more with --at-most.',
    exit: 'stopped',
  },
  DRIFT: {
    message: 'Users have changed since the plan was made',
    cause:
      'Somebody changed, created or disabled users after the plan was made. Those users were not touched.',
    remedy:
      'See failures.csv in the plan directory. Go on with --accept-drift NUMBER, or make a new plan in another directory (--to).',
    exit: 'stopped',
  },
  OUT_OF_LINE: {
    message: 'Users with one hash algorithm log in far less often than all others',
    cause:
      'Since the import, far fewer users with this algorithm have logged in than expected. Their hashes may not work, or these users may be less active. At most one watch in a hundred raises a false alarm.',
    remedy:
      'Try a password that you know of one of them: tenant-users hash verify --csv FILE --by-user-name NAME.',
    exit: 'stopped',
  },
  UNEXPECTED: {
    message: 'The program failed unexpectedly',
    cause: 'A defect of this program, or a fault of the machine that it runs on.',
    remedy: 'Please report this as a defect.',
    exit: 'unexpected',
  },
} as const satisfies Record<string, OwnError>;

export type OwnCode = keyof typeof ownErrors;

export function isOwnCode(code: string): code is OwnCode {
  return Object.hasOwn(ownErrors, code);
}

/** Errors of the API with an exit code other than `refused`. A rate limit counts as a network error. */
const apiExits: Readonly<Record<string, ExitName>> = {
  [errorCatalogue.userNotFound.code]: 'notFound',
  [localErrors.rateLimited.code]: 'network',
};

/** The exit code of a command that ends with this error of the API. */
export function apiExitCode(code: string): number {
  return exitCodes[apiExits[code] ?? 'refused'];
}

/** What to do next if no usable answer came. */
export const networkRemedies: Record<NetworkFault, string> = {
  unreachable: 'Check the base URL (tenant-users status), the network and the proxy.',
  timeout: 'Try again; if the service is slow, with a longer --timeout.',
  tls: 'Check the base URL; for a private certificate authority, set NODE_EXTRA_CA_CERTS to its certificates.',
  proxy: 'Check the proxy variables (HTTPS_PROXY), or add the host to NO_PROXY.',
  interrupted: 'Try again.',
  throttled: 'Try again later.',
  busy: 'Try again later.',
  unavailable: 'Try again later.',
  failing: 'Try again later.',
  tooLong: 'Check the base URL (tenant-users status).',
  notTheApi: 'Check the base URL (tenant-users status).',
};
