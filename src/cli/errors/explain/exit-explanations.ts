import type { Explanation } from '../../../contract/error-explanations.ts';
import type { ExitName } from '../exit-codes.ts';

type ExitExplanation = Explanation & { message: string };

const final = (message: string, cause: string, remedy: string): ExitExplanation => ({
  message,
  cause,
  remedy,
  retryable: false,
});
const passing = (message: string, cause: string, remedy: string): ExitExplanation => ({
  ...final(message, cause, remedy),
  retryable: true,
});

/** What a command does after a signal, and what to do then. `connect.ts` has the time that answers have. */
const afterSignal =
  'Imports, apply, undo and disable begin nothing new, and wait up to 1.5 seconds for answers; other commands end at once.';
const goOn =
  'Run the same command again: imports, apply and undo look up what got no answer. After another change, check first whether it was made (tenant-users log).';

/** What each exit code means, and what to do about it. */
export const exitExplanations: Record<ExitName, ExitExplanation> = {
  done: final('Everything asked for was done', 'The command succeeded.', 'Nothing to do.'),
  unexpected: final(
    'Unexpected failure',
    'A defect of this program, or a fault of the machine that it runs on.',
    'Please report it with the output on stderr, which contains no secrets.',
  ),
  usage: final(
    'Wrong usage',
    'The command line, or a file given to it, is invalid. Nothing was done.',
    'Read the message on stderr and the --help of the command.',
  ),
  configuration: final(
    'Configuration or profile',
    'A profile, the configuration file, the environment, a database or a job directory cannot be used.',
    'Read the message on stderr. To see where each value comes from, run tenant-users status.',
  ),
  authentication: final(
    'Authentication',
    'The service rejected the credentials or the token (invalid_client, invalid_token).',
    'Check the client id and secret (tenant-users status says where they come from), then run: tenant-users login',
  ),
  notFound: final(
    'No such user',
    'The service answered SVC.TENANT.USER.0001.',
    'Check the spelling and the tenant (tenant-users status).',
  ),
  refused: final(
    'Rejected',
    'The service rejected the request or failed at it, or a password does not match its hash. The message on stderr, or the document on stdout, says why.',
    'If it has a code, run: tenant-users explain CODE',
  ),
  partlyDone: final(
    'Partly done',
    'Some rows or users failed, would fail, were left out, or differ; all others are fine.',
    'See the results, or failures.csv in the job directory, and repeat only what failed.',
  ),
  stopped: final(
    'Stopped by a safety limit',
    'A limit was exceeded, a canary cannot log in, users changed after a plan was made, or cutover raised an alarm.',
    'Read the message on stderr, and find the cause before you continue.',
  ),
  network: passing(
    'Network',
    'The service is unreachable, did not respond in time, or is not the API.',
    'Check the base URL, the network and the proxy, then run the command again.',
  ),
  incomplete: passing(
    'Listing not complete',
    'Users were created or changed during the listing, so some may be missing.',
    'Run the command again at a quieter time.',
  ),
  hungUp: passing(
    'Ended by SIGHUP',
    `The terminal was closed. ${afterSignal}`,
    `${goOn} Use nohup, or a persistent session.`,
  ),
  interrupted: passing('Ended by SIGINT (Ctrl-C)', `The command was interrupted. ${afterSignal}`, goOn),
  terminated: passing(
    'Ended by SIGTERM',
    `The system or another program ended the command. ${afterSignal}`,
    goOn,
  ),
};
