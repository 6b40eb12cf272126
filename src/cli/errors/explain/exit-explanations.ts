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

/** What each exit code says, and what to do about it. */
export const exitExplanations: Record<ExitName, ExitExplanation> = {
  done: final('Everything asked for was done', 'The command ended as it should.', 'Nothing is to be done.'),
  unexpected: final(
    'Unexpected failure',
    'A fault of this program, or of the machine that it runs on.',
    'Please report it with what stderr says; no secret is in it.',
  ),
  usage: final(
    'Wrong usage',
    'The command line, or a file given to it, is not what the command needs. Nothing was done.',
    'Read the line on stderr, and the --help of the command.',
  ),
  configuration: final(
    'Configuration or profile',
    'A profile, the configuration file, the environment, a database or a job directory cannot be used.',
    'Read the line on stderr; tenant-users status shows where each value comes from.',
  ),
  authentication: final(
    'Authentication',
    'The service does not accept the credentials or the token (invalid_client, invalid_token).',
    'Check the client id and secret, then run: tenant-users login',
  ),
  notFound: final(
    'No such user',
    'The service answered SVC.TENANT.USER.0001.',
    'Check the spelling and the tenant (tenant-users status).',
  ),
  refused: final(
    'Refused by the API',
    'The service understood the request and refused it; the line on stderr has the code.',
    'Run tenant-users explain with that code.',
  ),
  partlyDone: final(
    'Partly done',
    'Some rows or ids failed; the others were done and stay done.',
    'Read the results, or failures.csv in the job directory, and repeat only what failed.',
  ),
  stopped: final(
    'Stopped by a safety limit',
    'More went wrong than was allowed, so the rest was left alone.',
    'Look at the failures before you go on.',
  ),
  network: passing(
    'Network',
    'The service is unreachable, did not answer in time, or is not the API.',
    'Check the base URL, the network and the proxy, then run the command again.',
  ),
  incomplete: passing(
    'Listing not complete',
    'Users were created or changed while their pages were read: the listing cannot be vouched for.',
    'Run the command again when fewer changes are under way.',
  ),
  hungUp: passing(
    'Ended by SIGHUP',
    'The terminal was closed. What was under way was finished first.',
    'Run it again, with nohup or in a session that stays.',
  ),
  interrupted: passing(
    'Ended by SIGINT (Ctrl-C)',
    'A person interrupted the command. What was under way was finished first.',
    'Run the command again for the rest.',
  ),
  terminated: passing(
    'Ended by SIGTERM',
    'The system or another program ended the command. What was under way was finished first.',
    'Run the command again for the rest.',
  ),
};
