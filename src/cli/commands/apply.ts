import type { Command } from '@commander-js/extra-typings';
import type { Plan } from '../../migration/plan/plan-document.ts';
import { formatCount } from '../../text/format-count.ts';
import { readSettings } from '../config/settings.ts';
import { connect, tenantOf } from '../connection/connect.ts';
import { commandAgain, requireConsent } from '../connection/consent.ts';
import { sayTarget } from '../connection/target-tenant.ts';
import type { CommandContext } from '../context/context.ts';
import { version } from '../context/version.ts';
import { UsageError } from '../errors/errors.ts';
import {
  maxConcurrency,
  parseConcurrency,
  parseFailureLimit,
  parseRate,
  parseWholeNumber,
  secretOption,
} from '../input/option-parsers.ts';
import { readSecret, readText } from '../input/read-input.ts';
import { printImportSummary, requireDone } from '../output/import-summary.ts';
import { showProgress } from '../output/progress.ts';
import { commandLineOf } from './import-hashes/command-line.ts';

/** tenant-users apply */
export function addApply(parent: Command, context: CommandContext): void {
  parent
    .command('apply')
    .description('Carry out a plan exactly as it was decided, once')
    .argument('<directory>', 'plan directory, made by plan')
    .optionsGroup('Checks:')
    .option('--require-signature <file>', 'public key in PEM form that the plan must be signed for')
    .option('--accept-drift <number>', 'go on past so many users who changed since', parseWholeNumber)
    .option('--max-failures <number>', 'stop when more rows fail, such as 20 or 5%', parseFailureLimit)
    .optionsGroup('File:')
    .option('--file <file>', 'the file of the plan, where it was moved')
    .addOption(secretOption('--key', 'an HMAC key', '--key-file or --key-stdin'))
    .option('--key-file <file>', 'read the default HMAC key from a file')
    .option('--key-stdin', 'read the default HMAC key from standard input')
    .optionsGroup('Speed:')
    .option('--concurrency <number>', 'maximum requests in flight, or auto', parseConcurrency, 'auto')
    .option('--rate <number>', 'maximum requests per second, such as 100/s', parseRate)
    .addHelpText(
      'after',
      `
Asks first; a script must agree with --yes. Every action is journalled: rerun the same command to
resume after any interruption. A user who is not as the plan saw them is not touched, and stops the
run (8) unless --accept-drift allows it. A changed file, plan, signature or tenant is refused (3)
before anything is sent, and so is a plan that was applied. Results are in the plan directory.

Examples:
  $ tenant-users apply legacy.csv.plan
  $ tenant-users apply legacy.csv.plan --require-signature approver.pub --yes --json`,
    )
    .action(async (directory, { keyFile, keyStdin, requireSignature, acceptDrift, ...options }) => {
      if (keyStdin && keyFile !== undefined)
        throw new UsageError('--key-stdin and --key-file cannot be used together');
      const [{ applyPlan }, { adviseNext, rerunCommand }, { noticesOfPlan }] = await Promise.all([
        import('../../migration/apply-plan.ts'),
        import('../../migration/report/advice.ts'),
        import('../../migration/plan/render-plan.ts'),
      ]);
      const keySource = keyStdin ? '-' : keyFile;
      const key = keySource === undefined ? {} : { key: await readSecret(context, keySource, 'HMAC key') };
      const signer =
        requireSignature === undefined ? {} : { requiredKey: await readText(context, requireSignature) };
      const { now, clock, signal } = context;
      const command = commandLineOf(context);
      sayTarget(context);
      const connections = options.concurrency === 'auto' ? maxConcurrency : options.concurrency;
      const client = await connect(context, { connections });
      const progress = await showProgress(context);
      context.handlesSignals = true;
      const { summary, stoppedBy } = await applyPlan(client.withoutRetries(), {
        directory,
        target: tenantOf(readSettings(context)),
        version,
        ...options,
        ...key,
        ...signer,
        ...(acceptDrift === undefined ? {} : { acceptedDrift: acceptDrift }),
        requestTimeout: (context.options.timeout ?? 30) * 1000,
        command,
        async onPlan(plan, isConsented) {
          const lines = [describePlan(plan), ...noticesOfPlan(plan).map(({ text }) => text)];
          for (const line of lines) progress.say(line);
          if (isConsented) return;
          const { create, update, disable } = plan.totals;
          await progress.paused(() =>
            requireConsent(context, {
              users: create + update + disable,
              what: `change ${formatCount(create + update + disable, 'user')}`,
              refused: 'nothing was sent',
              preview: lines,
              again: (...more) => commandAgain(context, ...more),
            }),
          );
        },
        now,
        clock,
        signal,
        onProgress: progress.update,
      }).finally(progress.end);
      const advice = adviseNext(summary).map(({ text, rerun }) => ({
        text,
        command: rerun ? rerunCommand(command, rerun, summary) : undefined,
      }));
      await printImportSummary(context, summary, advice, []);
      signal.throwIfAborted();
      if (stoppedBy) throw stoppedBy;
      requireDone(summary);
    });
}

function describePlan({ totals, made_at: madeAt }: Plan): string {
  const { create, update, disable, same, conflict, cannot, invalid } = totals;
  const left = conflict + cannot + invalid;
  const others = left > 0 ? `; ${formatCount(left, 'row')} without an action` : '';
  return `Plan of ${madeAt}: create ${formatCount(create)}, update ${formatCount(update)}, disable ${formatCount(disable)}, leave ${formatCount(same)} as they are${others}. What is written stays.`;
}
