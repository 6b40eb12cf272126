import type { NetworkFault } from '../../client/errors.ts';
import { errorCatalogue, localErrors } from '../../contract/errors.ts';
import { type ExitName, exitCodes, type OwnError } from './exit-codes.ts';

const unchanged = 'Nothing was sent.';

const final = (exit: ExitName, message: string, cause: string, remedy: string): OwnError => ({
  message,
  cause,
  remedy,
  exit,
});
const passing = (...row: Parameters<typeof final>): OwnError => ({ ...final(...row), retryable: true });

/** All codes of errors on stderr that are not the API's. */
export const ownErrors = {
  USAGE: final(
    'usage',
    'The command line, or a file given to it, is invalid',
    'An option, argument or value is unknown, missing, malformed or conflicts with another, or a file cannot be read. Nothing was done.',
    'Add --help to see how it is used.',
  ),
  CONFIGURATION: final(
    'configuration',
    'A profile, the configuration file, the environment or a database is invalid',
    'The profile does not exist, a value is missing or malformed, or a configuration file cannot be used. Nothing was sent.',
    'To see where each value comes from, run tenant-users status. To create a profile, run tenant-users login.',
  ),
  NETWORK: passing(
    'network',
    'The service sent no usable response',
    'The host is unknown, refuses connections or does not respond in time, its TLS certificate is not trusted, a gateway in front of it fails, or another service responds.',
    'Check the base URL (tenant-users status), the network and the proxy, then run the command again.',
  ),
  SOURCE: final(
    'usage',
    'The file of users cannot be imported',
    'The file cannot be read, its format or encoding is not supported, it has unknown columns, or a quote is not closed; or a question of the recipe is open, or one of its examples does not come out as written. The whole file is checked before the first row is sent; where the file changes after that, the message says how many rows were sent.',
    'Nothing was sent. Fix the problem that the message names, then run the command again.',
  ),
  JOB_DIRECTORY: final(
    'configuration',
    'The job directory cannot be used for this import',
    'The directory is in use by another run (only then retryable), belongs to an import of another file, mapping or tenant, is not a directory, or cannot be written; or the directory for temporary files cannot be written.',
    'Wait for the other run to end, use another directory with --job (--to for a plan or a comparison), or start over with --restart.',
  ),
  MAX_FAILURES: final(
    'stopped',
    'The import stopped because too many rows failed',
    'More rows failed, were invalid, were in conflict or got no response than --max-failures allows. A percentage applies from 100 rows on. Rows that were not sent are pending. If a plan itself says so, nothing was sent.',
    'See failures.csv in the job directory, and fix the cause. The same command sends the pending rows; use --only failed to send the failed ones again, too.',
  ),
  CANARY_FAILED: final(
    'stopped',
    'The import stopped, because a known password does not match its hash or is not accepted',
    'A canary is a user whose password in the old system is known. The hash in the row of that user does not match the password, so users with hashes made in the same way could not log in. In a rehearsal, or on the tenant with --ramp: the login of the canary was rejected, or could not be tried.',
    'Follow the advice in the error, or test one row: tenant-users hash verify --csv FILE --by-user-name NAME. Then run the same command again. A canary who was created keeps the hash that was sent: name another one.',
  ),
  SYSTEMIC: final(
    'stopped',
    'The import stopped because nearly all rows failed with the same error',
    'None of the first 50 rows, or of the last 200 rows, was imported, and nearly all were rejected with the same code. Rows that were not sent are pending.',
    'Fix the cause, which the error code of the rows names, then run the same command again. With --max-failures 100% rows that fail do not stop the import.',
  ),
  HOST_GONE: passing(
    'network',
    'The import stopped because the service no longer works',
    'For half a minute every request was refused, timed out, was cut off or failed in the service (500), or 20 answers in a row came from another service. Rows that were not sent are pending.',
    'Run the same command again when the service works.',
  ),
  THROTTLED: passing(
    'network',
    'The import stopped because the service throttled every request',
    'For two minutes every request was throttled (429). Rows that were not sent are pending.',
    'Ask for a higher rate limit, or run the same command again later.',
  ),
  PASSWORD_EXPIRED: final(
    'refused',
    'The password is correct, but must be changed before the first session',
    'The user was created with pwd_must_modify=true, the default of the API.',
    'To avoid this, import or create the user with pwd_must_modify=false.',
  ),
  HASH_MISMATCH: final(
    'refused',
    'The password does not match the hash',
    'The password is different, or the hash was made or exported in a way that the API does not support.',
    'Check that the password and the hash belong to the same user. No known export mistake, and no pair of them, explains the difference.',
  ),
  NOT_ENSURED: final(
    'refused',
    'The user cannot be made what is asked for',
    'The identifiers belong to several users or to somebody else, the user is disabled, or the external ID differs, which the API cannot change. Nothing was changed.',
    'The error names who has which identifier. Correct the values, or use --key.',
  ),
  UNCERTAIN_USER: final(
    'refused',
    'It is not certain which user is meant',
    'Several users have the external ID, or the service answered the look-up with a user who does not have the value that was given. This user was not changed.',
    'Name the user by another identifier. list --where FIELD=VALUE shows everybody who has a value.',
  ),
  INCOMPLETE: passing(
    'incomplete',
    'The listing is incomplete',
    'Users were changed or disappeared during the listing, or the service counts users that it did not send. In CSV: a user has an extension attribute that was not known when the header was written. The message says which.',
    'Run the command again at a quieter time; for CSV, with the --columns in the message.',
  ),
  PLAN_CHANGED: final(
    'configuration',
    'The plan was changed after it was made',
    `One of plan.json, actions.jsonl and plan.key is missing, or a byte of it is not what it was. ${unchanged}`,
    'Make the plan again: tenant-users plan FILE',
  ),
  PLAN_FILE: final(
    'configuration',
    'The file of the plan was changed',
    `The file was changed after the plan was made, or it is missing. ${unchanged}`,
    'Restore the file, or make a plan of the changed one and have it approved.',
  ),
  PLAN_MAPPING: final(
    'configuration',
    'The file would be read differently than when the plan was made',
    `The HMAC key is another one or missing, or this version of the program reads columns differently. ${unchanged}`,
    'Give the same key with --key-file, or make the plan again.',
  ),
  PLAN_TARGET: final(
    'configuration',
    'The plan was made for another tenant',
    `The base URL, the client id or the database is not that of the plan. ${unchanged}`,
    'Select the profile of the plan or job with --profile, or make a plan for this tenant.',
  ),
  PLAN_SIGNATURE: final(
    'configuration',
    'The plan is not signed with the key that is required',
    `There is no signature, it does not belong to these bytes, or another key made it. ${unchanged}`,
    'Have the plan approved again: tenant-users plan sign DIRECTORY KEY',
  ),
  PLAN_APPLIED: final(
    'configuration',
    'The plan was applied already',
    `A plan can be applied only once, because applying it changes the tenant. ${unchanged}`,
    'Make a new plan, in another directory.',
  ),
  EVIDENCE_CHANGED: final(
    'configuration',
    'The evidence was changed after it was packed',
    'A line was changed, removed or added, or the counts are not those of the rows; the message names the line. Or the file cannot be read.',
    'Do not rely on this file: ask for the original.',
  ),
  EVIDENCE_SIGNATURE: final(
    'configuration',
    'The evidence is not signed with the key that was given',
    'There is no signature, it was changed, or another key made it; or a key is not an Ed25519 key.',
    'Ask who signed it for their public key, or pack it again: tenant-users evidence JOB --sign KEY',
  ),
  PLAN_LIMIT: final(
    'stopped',
    'The plan would do more than is allowed',
    'There are more actions of a kind than --at-most allows; without it, disabling more than 10 % of the users, and more than one, is not allowed. No plan was made, and none was resumed.',
    'Check that the file is the right one and complete. If it is, allow more with --at-most.',
  ),
  DRIFT: final(
    'stopped',
    'Users have changed since the plan was made',
    'Somebody changed, created or disabled users after the plan was made. Those users were not touched.',
    'See failures.csv in the plan directory. Go on with --accept-drift NUMBER, or make a new plan in another directory (--to).',
  ),
  OUT_OF_LINE: final(
    'stopped',
    'Users with one hash algorithm log in far less often than all others',
    'Since the import, far fewer users with this algorithm have logged in than expected. Their hashes may not work, or these users may be less active. At most one watch in a hundred raises a false alarm.',
    'Try a password that you know of one of them: tenant-users hash verify --csv FILE --by-user-name NAME.',
  ),
  INTERRUPTED: passing(
    'interrupted',
    'The command was interrupted before it had a result',
    'A signal ended it, or Ctrl-C at a question. The exit code is that of the signal.',
    'Run the same command again.',
  ),
  OUTPUT: final(
    'unexpected',
    'The result cannot be written to stdout',
    'The disk is full, or the file or device that stdout leads to does not accept the text. What the command changed stays changed.',
    'If the error names a change, check it before you repeat the command. Otherwise free some space, then run the command again.',
  ),
  UNEXPECTED: final(
    'unexpected',
    'The program failed unexpectedly',
    'A defect of this program, or a fault of the machine that it runs on.',
    'Please report this as a defect, with the output on stderr: it contains no secrets.',
  ),
} satisfies Record<string, OwnError>;

export type OwnCode = keyof typeof ownErrors;

export function isOwnCode(code: string): code is OwnCode {
  return Object.hasOwn(ownErrors, code);
}

/** Errors of the API with an exit code other than `refused`. A rate limit counts as a network error. */
const apiExits: Readonly<Record<string, ExitName>> = {
  [errorCatalogue.userNotFound.code]: 'notFound',
  [localErrors.rateLimited.code]: 'network',
};

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
