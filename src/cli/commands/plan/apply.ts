import { Option } from '@commander-js/extra-typings';
import { type ChangingKind, changingKinds } from '../../../migration/actions/reasons.ts';
import type { ApplyOptions } from '../../../migration/apply-plan.ts';
import type { Summary } from '../../../migration/model/summary.ts';
import type { Plan } from '../../../migration/plan/document/plan-schemas.ts';
import type { SendingWindow } from '../../../migration/rate-limit/sending-window.ts';
import type { Notice } from '../../../migration/report/texts/notices.ts';
import { formatCount } from '../../../text/format-count.ts';
import { fromHere } from '../../../text/locations/from-here.ts';
import { isPaceOfTenant, keepPace, startOf } from '../../config/pace-file.ts';
import { connect, runFacts, sayTarget } from '../../connection/connect.ts';
import { needsConsent, noMessages, requireConsent } from '../../connection/consent.ts';
import { rampOf } from '../../connection/try-canaries.ts';
import { commandLineOf } from '../../context/command-line.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { maxConcurrency } from '../../input/option-parsers.ts';
import { readSecretOption, readText } from '../../input/read-input.ts';
import { type RampChoice, readCanaryList, runOptions } from '../../input/run-options.ts';
import { secretOption } from '../../input/secret-options.ts';
import type { RunBegun } from '../../log/read-log.ts';
import { recordRun } from '../../log/write-log.ts';
import { printImportSummary, requireDone } from '../../output/import-summary.ts';
import { showProgress } from '../../output/progress.ts';
import { isBrief } from '../../output/show.ts';
import { refuseSecondCreation } from '../import-hashes/earlier-import.ts';
import { watchInterruption } from '../import-hashes/interruption.ts';
import { refuseOutdated, sinceInLog } from './later-plans.ts';

type ApplyChoices = Pick<
  ApplyOptions,
  'jobDirectory' | 'file' | 'key' | 'requiredKey' | 'canaries' | 'maxFailures' | 'rate' | 'mode'
> & { concurrency: number | 'auto'; ramp?: RampChoice | undefined; window?: SendingWindow | undefined };

const help = `
Asks first; in a script, pass --yes. Every action is journalled: rerun the same command to
resume after any interruption. A user who is not as the plan saw them is not touched, and stops the
run (8) unless --accept-drift allows it. A changed file, plan, signature or tenant is refused (3)
before anything is sent, and so is a plan that was applied. --only unanswered finds out what a run that
was killed may have sent, also after an undo, and sends nothing. Results are in the plan directory.

Examples:
  $ tenant-users apply legacy.csv.plan
  $ tenant-users apply legacy.csv.plan --require-signature approver.pub --yes --json`;

export const addApply: AddCommand = (parent, context) => {
  parent
    .command('apply')
    .description('Carry out a plan exactly as it was decided, once')
    .argument('<directory>', 'plan directory, made by plan')
    .optionsGroup('Checks:')
    .option('--require-signature <file>', 'public key in PEM form that the plan must be signed for')
    .addOption(runOptions.acceptDrift())
    .addOption(runOptions.maxFailures())
    .addOption(runOptions.canary())
    .addOption(runOptions.ramp())
    .addOption(new Option('--only <what>', 'only look up what may have been sent').choices(['unanswered']))
    .optionsGroup('File:')
    .option('--file <file>', 'the file of the plan, where it was moved')
    .addOption(secretOption('--key', 'an HMAC key', '--key-file or --key-stdin'))
    .addOption(runOptions.keyFile())
    .addOption(runOptions.keyStdin())
    .optionsGroup('Speed:')
    .addOption(runOptions.concurrency())
    .addOption(runOptions.rate())
    .addOption(runOptions.window(context))
    .addHelpText('after', help)
    .action(async (directory, { requireSignature, canary, ramp, only, ...options }) => {
      const canaries = await readCanaryList(context, canary, ramp);
      const { keyStdin, keyFile } = options;
      const key = await readSecretOption(context, 'HMAC key', { stdin: keyStdin, file: keyFile });
      const requiredKey =
        requireSignature === undefined ? undefined : await readText(context, requireSignature);
      sayTarget(context);
      await applyDirectory(context, {
        jobDirectory: directory,
        ...options,
        key,
        requiredKey,
        canaries,
        ramp,
        mode: only && `only ${only}`,
      });
    });
};

/** Applies a plan directory: shows what it would do, asks, and prints what it did. */
export async function applyDirectory(
  context: CommandContext,
  options: ApplyChoices & { acceptDrift?: number | undefined },
  name: 'apply' | 'undo' | ChangingKind = 'apply',
): Promise<void> {
  const { applyPlan } = await import('../../../migration/apply-plan.ts');
  const { adviseNext } = await import('../../../migration/report/texts/advice.ts');
  const { acceptDrift, ramp, window, ...choices } = options;
  const command = await commandToGoOn(context, options);
  const connections = options.concurrency === 'auto' ? maxConcurrency : options.concurrency;
  const client = await connect(context, { connections, isKnown: true });
  const progress = await showProgress(context);
  const run = { command: name, directory: options.jobDirectory, isSending: true };
  const record = recordRun(context, run, progress.say);
  const interruption = watchInterruption(context, progress, 'import');
  context.handlesSignals = true;
  const facts = runFacts(context);
  let isCreating = false;
  let since: RunBegun['since'];
  const result = await applyPlan(client.withoutRetries(), {
    ...choices,
    ...facts,
    start: startOf(context, facts.target),
    acceptedDrift: acceptDrift,
    ramp: ramp && rampOf(context, client, 'plan', ramp, choices.canaries, progress.say),
    timeout: context.options.timeout,
    command,
    isAsked: needsConsent(context),
    onJob({ source, ...job }) {
      // An import asks the log who was created from its file: by an undo, for example, nobody was.
      record.begun({ ...job, ...(isCreating ? { source } : {}), since });
      interruption.sending();
    },
    onStep: progress.note,
    async onPlan(plan, isConsented, notices) {
      isCreating = plan.totals.create > 0;
      since = sinceInLog(plan);
      if (options.mode === 'only unanswered')
        return progress.say('Only looks up the rows that may have been sent; nothing is written.');
      const lines = [describePlan(plan), ...notices.map(({ text }) => text)];
      for (const line of lines) progress.say(line);
      if (isConsented) return;
      refuseSecondCreation(context, plan, options.jobDirectory);
      refuseOutdated(context, plan, options.jobDirectory);
      const { create, update, disable } = plan.totals;
      const users = formatCount(create + update + disable, 'user');
      await progress.paused(() =>
        requireConsent(context, {
          users: create + update + disable,
          what: `${plan.undoes ? 'disable' : 'change'} ${users}`,
          refused: 'nothing was sent',
          preview: lines,
        }),
      );
    },
    onProgress: progress.update,
    ...(window ? { window, onWindow: (until) => progress.waiting(window, until) } : {}),
  })
    .finally(progress.end)
    .catch((failure: unknown) => {
      interruption.ended(failure);
      throw failure;
    });
  const { summary, changed, stoppedBy } = result;
  record.ended({ ...summary, changed });
  if (isPaceOfTenant(options)) await keepPace(context, facts.target, result, progress.say);
  const advice = adviseNext(summary, command);
  if (changingKinds.some((kind) => kind === name) && isBrief(context)) {
    const { printUserIds } = await import('../../output/user-ids.ts');
    await printUserIds(context, summary, advice, name === 'create');
  } else await printImportSummary(context, summary, advice, name === 'disable' ? [] : keptPasswords(summary));
  context.signal.throwIfAborted();
  if (stoppedBy) throw stoppedBy;
  requireDone(summary);
}

/** A run that only asks is followed by the command of the run before it, which may require a signature. */
async function commandToGoOn(context: CommandContext, { mode, jobDirectory }: ApplyChoices) {
  const own = commandLineOf(context);
  if (mode === undefined) return own;
  const { readJobStatus } = await import('../../../migration/records/job-status.ts');
  // Why the records cannot be read is said when the plan is opened.
  const known = await readJobStatus(jobDirectory, context.now).catch(() => undefined);
  return { ...own, ...known?.command, isAsking: true };
}

/** Says that users who were there keep their passwords, where the file has others. */
function keptPasswords({ hashes_not_sent: users }: Summary): Notice[] {
  if (users === 0) return [];
  const text =
    users === 1
      ? '1 user was there before and keeps the password and pwd_must_modify: the API cannot change them, so this run did not send the hash of the row'
      : `${formatCount(users)} users were there before and keep the passwords and pwd_must_modify: the API cannot change them, so this run did not send the hashes of these rows`;
  return [{ text, isWarning: false }];
}

function describePlan({ undoes, file, totals, made_at: madeAt }: Plan): string {
  const { create, update, disable, same, conflict, cannot, invalid } = totals;
  const left = conflict + cannot + invalid;
  const changes = Object.entries({ create, update, disable }).filter(([, users]) => users > 0);
  const parts = [
    ...changes.map(([action, users]) => `${action} ${formatCount(users)}`),
    ...(same > 0 ? [`leave ${formatCount(same)} as they are`] : []),
    ...(left > 0 ? [`no action for ${formatCount(left, undoes ? 'user' : 'row')}`] : []),
  ];
  const what = undoes
    ? `Undo of ${fromHere(undoes.job)}, planned ${madeAt}`
    : `Plan of ${fromHere(file.path)}, made ${madeAt}`;
  const after = changes.length > 0 ? `What is written stays. ${noMessages}` : 'Nobody is changed.';
  return `${what}: ${parts.join(', ') || 'nothing to do'}. ${after}`;
}
