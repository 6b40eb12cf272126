import { isDeepStrictEqual } from 'node:util';
import { connect, runFacts, sayTarget } from '../../connection/connect.ts';
import type { AddCommand } from '../../context/context.ts';
import { say, showRecord } from '../../output/show.ts';

const help = `
A job goes on only in its tenant, which its records know by base URL and client id. After the
application was revoked, or the service got another address, name the new ones (--profile): up to
three users of the job are looked up by their IDs, which no other tenant has. If all are there, the
job can be resumed, compared and undone there, and its records and evidence keep the former address.
Nothing is written to the tenant. A copy of the tenant has the same users: do not name that.

Example:
  $ tenant-users job retarget legacy.csv.import --profile acme`;

export const addJobRetarget: AddCommand = (parent, context) => {
  parent
    .command('retarget')
    .description('Go on with a job at the new address, or with a new application, of its tenant')
    .argument('<directory>', 'job directory, or plan directory of a plan whose application was begun')
    .addHelpText('after', help)
    .action(async (directory) => {
      const { retargetJob } = await import('../../../migration/retarget-job.ts');
      sayTarget(context);
      const client = await connect(context, { isKnown: true });
      const retargeted = await retargetJob(client, directory, runFacts(context));
      await showRecord(context, retargeted, ['job', 'users']);
      say(
        context,
        isDeepStrictEqual(retargeted.former_target, retargeted.target)
          ? 'The job has this base URL and client id already. If its tenant has new ones, name their profile with --profile.'
          : 'The job goes on here from now on: run its commands as before.',
      );
    });
};
