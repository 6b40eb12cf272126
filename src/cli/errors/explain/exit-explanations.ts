import { ownErrors } from '../error-table.ts';
import type { ExitName, OwnError } from '../exit-codes.ts';

/** What a command does after a signal, and what to do then. `connect.ts` has the time that answers have. */
const afterSignal =
  'Imports, apply, undo and disable begin nothing new, and wait up to 1.5 seconds for answers; other commands end at once.';
const goOn =
  'Run the same command again: imports, apply and undo look up what got no answer. After another change, check first whether it was made (tenant-users log).';

export const exitExplanations: Record<ExitName, Omit<OwnError, 'exit'>> = {
  done: {
    message: 'Everything asked for was done',
    cause: 'The command succeeded.',
    remedy: 'Nothing to do.',
  },
  unexpected: ownErrors.UNEXPECTED,
  usage: ownErrors.USAGE,
  configuration: {
    message: 'Configuration or profile',
    cause:
      'A profile, the configuration file, the environment, a database or a job directory cannot be used.',
    remedy: 'Read the message on stderr. To see where each value comes from, run tenant-users status.',
  },
  authentication: {
    message: 'Authentication',
    cause:
      'The service, or a gateway before it (401), rejected the credentials or the token (invalid_client, invalid_token), or the application may not do this (insufficient_scope).',
    remedy:
      'Check the base URL, the client id and the secret (tenant-users status says where they come from), then run: tenant-users login',
  },
  notFound: {
    message: 'No such user',
    cause: 'The service answered SVC.TENANT.USER.0001.',
    remedy: 'Check the spelling and the tenant (tenant-users status).',
  },
  refused: {
    message: 'Refused',
    cause:
      'The service refused the request or failed at it, or a password does not match its hash. The message on stderr, or the document on stdout, says why.',
    remedy: 'If it has a code, run: tenant-users explain CODE',
  },
  partlyDone: {
    message: 'Partly done',
    cause: 'Some rows or users failed, would fail, were left out, or differ; all others are fine.',
    remedy: 'See the results, or failures.csv in the job directory, and repeat only what failed.',
  },
  stopped: {
    message: 'Stopped by a safety limit',
    cause:
      'A limit was exceeded, a canary cannot log in, users changed after a plan was made, or cutover raised an alarm.',
    remedy: 'Read the message on stderr, and find the cause before you continue.',
  },
  network: ownErrors.NETWORK,
  incomplete: ownErrors.INCOMPLETE,
  hungUp: {
    message: 'Ended by SIGHUP',
    cause: `The terminal was closed. ${afterSignal}`,
    remedy: `${goOn} Use nohup, or a persistent session.`,
    retryable: true,
  },
  interrupted: {
    message: 'Ended by SIGINT (Ctrl-C)',
    cause: `The command was interrupted. ${afterSignal}`,
    remedy: goOn,
    retryable: true,
  },
  terminated: {
    message: 'Ended by SIGTERM',
    cause: `The system or another program ended the command. ${afterSignal}`,
    remedy: goOn,
    retryable: true,
  },
};
