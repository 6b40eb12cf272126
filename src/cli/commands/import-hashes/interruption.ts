import { ofNextRun } from '../../../migration/model/job.ts';
import type { CommandContext } from '../../context/context.ts';
import { AdvisedError } from '../../errors/errors.ts';
import { isPromptEnd } from '../../input/prompts.ts';
import type { ProgressDisplay } from '../../output/progress.ts';
import { say } from '../../output/show.ts';

/** Kinds of imports: one that sends nothing, one into a temporary tenant, and a real one, as is the application of a plan. */
export type ImportKind = 'dry-run' | 'rehearsal' | 'import';

const ended = {
  'dry-run': 'Interrupted: the file was not read to its end. Nothing was sent.',
  rehearsal: 'Interrupted. Nothing was sent to the tenant.',
  import: 'Interrupted. Nothing was sent.',
} as const satisfies Record<ImportKind, string>;

const cutOff = {
  'dry-run': 'Ended at once. Nothing was sent.',
  rehearsal:
    'Ended at once. The temporary tenant is gone with its users; nothing was sent to any other service.',
  import:
    'Ended at once. Requests under way may have arrived: rerun the same command, which looks their users up first.',
} as const satisfies Record<ImportKind, string>;

/**
 * Says at the first signal what it does to an import, and at the second one what it leaves behind. `isRestart`: the job is started over,
 * and would be again by the same command.
 */
export function watchInterruption(
  context: CommandContext,
  progress: ProgressDisplay,
  kind: ImportKind,
  isRestart = false,
) {
  const { signal, secondSignal } = context;
  let isSending = false;
  signal.addEventListener('abort', () => {
    if (isSending && kind !== 'dry-run')
      progress.say(
        'Stopping: no more rows are sent. Waiting up to 1.5 s for the requests under way; Ctrl-C again ends at once.',
      );
  });
  secondSignal?.addEventListener('abort', () => {
    progress.end();
    say(context, isSending ? ofNextRun(cutOff[kind], { isRestart }) : cutOff['dry-run']);
  });
  return {
    /** Call once, when rows may be sent from now on. */
    sending() {
      isSending = true;
    },
    /** Returns a failure that ended the import, with advice that does not start it over once rows may have been sent. */
    async advised(failure: unknown): Promise<unknown> {
      if (!isSending || !isRestart) return failure;
      const { describeError } = await import('../../errors/describe-error.ts');
      return new AdvisedError(failure, ofNextRun(describeError(failure).hint, { isRestart }), false);
    },
    /** Call with the failure that ended the import. Says nothing once rows may have been sent: the failure itself does. */
    ended(failure: unknown) {
      const isInterrupted = signal.aborted || isPromptEnd(failure);
      if (isInterrupted && !(isSending && kind === 'import')) say(context, ended[kind]);
    },
  };
}
