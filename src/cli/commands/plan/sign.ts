import type { AddCommand } from '../../context/context.ts';
import { readText } from '../../input/read-input.ts';
import { say, showRecord } from '../../output/show.ts';

const help = `
The signature is plan.sig in the plan directory. A pair of keys is made with OpenSSL:
  openssl genpkey -algorithm ed25519 -out approver.pem
  openssl pkey -in approver.pem -pubout -out approver.pub

Example:
  $ tenant-users plan sign legacy.csv.plan approver.pem`;

export const addPlanSign: AddCommand = (parent, context) => {
  parent
    .command('sign')
    .description('Approve a plan with a signature, which any later change makes invalid')
    .argument('<directory>', 'plan directory')
    .argument('<key>', 'private Ed25519 key in PEM form, or - for standard input')
    .addHelpText('after', help)
    .action(async (directory: string, key: string) => {
      const { checkListAndKey, checkPage, signPlan } = await import('../../../migration/plan/signature.ts');
      const { readPlan } = await import('../../../migration/plan/plan-document.ts');
      const plan = readPlan(directory);
      checkPage(directory, plan);
      await checkListAndKey(directory, plan);
      signPlan(directory, plan, await readText(context, key));
      const { digest } = plan;
      await showRecord(context, { directory, digest, signed: true }, ['directory', 'digest']);
      say(context, 'Give the public key to whoever applies the plan: apply --require-signature FILE');
    });
};
