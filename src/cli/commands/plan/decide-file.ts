import type { PlanOptions } from '../../../migration/make-plan.ts';
import type { Plan } from '../../../migration/plan/document/plan-schemas.ts';
import { formatCount } from '../../../text/format-count.ts';
import { rememberedPace } from '../../config/pace-file.ts';
import { connect, runFacts } from '../../connection/connect.ts';
import { openBeforeDatabase } from '../../connection/embedded-service.ts';
import type { CommandContext } from '../../context/context.ts';
import { describeSource } from '../../input/file-options.ts';
import { recordRun } from '../../log/write-log.ts';
import { say, warn } from '../../output/show.ts';
import { whileWriting } from '../../output/spinner.ts';
import { refuseOlderSince } from './later-plans.ts';
import { sayReplaced } from './show.ts';

/**
 * Makes a plan for a file, records it in the log by the name `command`, and says how the file was read and how many users changed
 * meanwhile.
 */
export async function decideFile(
  context: CommandContext,
  command: string,
  options: Omit<PlanOptions, keyof ReturnType<typeof runFacts> | 'pace' | 'onSource' | 'onSince' | 'onStep'>,
): Promise<Plan> {
  const { makePlan } = await import('../../../migration/make-plan.ts');
  const { pendingPlan } = await import('../../../migration/plan/document/plan-document.ts');
  await openBeforeDatabase(context, options.file, options.reading);
  const held = pendingPlan(options.directory);
  const client = await connect(context, { connections: 64, isKnown: options.since !== undefined });
  const facts = runFacts(context);
  const interrupted = `Interrupted: no plan was made in ${options.directory}`;
  const { plan, changed } = await whileWriting(context, 'Checking the file', interrupted, (report) =>
    makePlan(client.withoutRetries(), {
      ...options,
      ...facts,
      pace: rememberedPace(context, facts.target)?.pace.likely,
      onSource: (source, found) => say(context, describeSource(source, found)),
      onSince: (job, digest) => refuseOlderSince(context, job, digest),
      onStep: report,
    }),
  );
  sayReplaced(context, held);
  const { target, file } = plan;
  recordRun(context, { command, directory: options.directory }).begun({
    kind: 'plan',
    target,
    rows: file.rows,
  });
  if (changed > 0) {
    const who = formatCount(changed, 'user');
    warn(context, `${who} changed while the tenant was read; apply does not touch those it finds changed`);
  }
  return plan;
}
