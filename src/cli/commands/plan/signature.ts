import type { AddCommand } from '../../context/context.ts';
import { readText } from '../../input/read-input.ts';
import { say, showRecord } from '../../output/show.ts';

const signHelp = `
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
    .addHelpText('after', signHelp)
    .action(async (directory: string, key: string) => {
      const { checkListAndKey, checkPage, signPlan } = await import(
        '../../../migration/plan/document/signature.ts'
      );
      const { readPlan } = await import('../../../migration/plan/document/plan-document.ts');
      const plan = readPlan(directory);
      checkPage(directory, plan);
      await checkListAndKey(directory, plan);
      signPlan(directory, plan, await readText(context, key));
      const { digest } = plan;
      await showRecord(context, { directory, digest, signed: true }, ['directory', 'digest']);
      say(context, 'Give the public key to whoever applies the plan: apply --require-signature FILE');
    });
};

const verifyHelp = `
Needs no network. Exit code 0: unchanged and signed with this key; 3: not, and the message says what.

Example:
  $ tenant-users plan verify legacy.csv.plan approver.pub`;

export const addPlanVerify: AddCommand = (parent, context) => {
  parent
    .command('verify')
    .description('Check that a plan is unchanged, and signed by somebody you trust')
    .argument('<directory>', 'plan directory')
    .argument('<key>', 'public Ed25519 key in PEM form, or - for standard input')
    .addHelpText('after', verifyHelp)
    .action(async (directory: string, key: string) => {
      const { checkListAndKey, checkPage, verifyPlan } = await import(
        '../../../migration/plan/document/signature.ts'
      );
      const { readPlan } = await import('../../../migration/plan/document/plan-document.ts');
      const { checkActions } = await import('../../../migration/plan/document/action-lines.ts');
      const plan = readPlan(directory);
      await checkActions(directory, plan.actions);
      await checkListAndKey(directory, plan);
      verifyPlan(directory, plan, await readText(context, key));
      const what = checkPage(directory, plan) ? 'The plan and its page are' : 'The plan is';
      const { digest } = plan;
      await showRecord(context, { directory, digest, valid: true }, ['directory', 'digest']);
      say(context, `${what} unchanged, and the signature belongs to the plan and to this key`);
    });
};
