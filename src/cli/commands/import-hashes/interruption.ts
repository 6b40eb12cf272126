import type { CommandContext } from '../../context/context.ts';
import { isPromptEnd } from '../../input/prompts.ts';
import type { ProgressDisplay } from '../../output/progress.ts';
import { say } from '../../output/show.ts';

/** What an import is: one that sends nothing, one into a temporary tenant, or one that stays. */
export type ImportKind = 'dry-run' | 'rehearsal' | 'import';

/** Says to a person what interrupting an import does. */
export interface Interruption {
  /** From now on rows are sent. */
  sending(): void;
  /** To be called with what ended the import before its first row was sent. */
  ended(failure: unknown): void;
}

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

/** Says what the first signal does to an import, and what the second leaves behind. */
export function watchInterruption(
  context: CommandContext,
  progress: ProgressDisplay,
  kind: ImportKind,
): Interruption {
  const { signal, secondSignal } = context;
  let isSending = false;
  signal.addEventListener('abort', () => {
    if (isSending && kind !== 'dry-run')
      progress.say(
        'Stopping: no more rows are sent. Waiting for the requests under way; Ctrl-C again ends at once.',
      );
  });
  secondSignal?.addEventListener('abort', () => {
    progress.end();
    say(context, isSending ? cutOff[kind] : cutOff['dry-run']);
  });
  return {
    sending() {
      isSending = true;
    },
    ended(failure) {
      if (signal.aborted || isPromptEnd(failure)) say(context, ended[kind]);
    },
  };
}
