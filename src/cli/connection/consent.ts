import { commandAgain } from '../context/command-line.ts';
import { type CommandContext, canAsk } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { askText, requireYes } from '../input/prompts.ts';
import { linesFor } from '../output/show.ts';
import { targetTenant } from './connect.ts';

/** Maximum number of users for which y is enough. For more, the host must be typed, because y may be pressed by habit. */
const mostByKey = 100;

/** What the API does not do when users change. */
export const noMessages = 'Nobody gets a message.';

/** A change of users that needs consent, because the API cannot undo it. */
export interface ConsentQuestion {
  users: number;
  /** In words, such as `import 2 users`. `refused`: what did not happen if nobody agrees. */
  what: string;
  refused: string;
  /** What a person must know first. The caller has already printed it, unless notices are silent. */
  preview: readonly string[];
  /** Asks questions that come first; throws what ends the command. */
  askFirst?(): Promise<void>;
}

/** True if a change of the target needs consent: not with `--yes`, nor for the embedded service, which is the person's own. */
export function needsConsent(context: CommandContext): boolean {
  return !context.options.yes && !targetTenant(context).isEmbedded;
}

/**
 * Asks a person to confirm a change of users, by typing the tenant's host if that is another machine or the users are many. A
 * script agrees with `--yes`. Throws a `UsageError` if nobody agrees; that of a script names the command to run instead.
 */
export async function requireConsent(context: CommandContext, question: ConsentQuestion): Promise<void> {
  const { users, what, refused, preview, askFirst } = question;
  if (!needsConsent(context) || users === 0) return;
  const { options, stderr } = context;
  const target = targetTenant(context);
  if (!canAsk(context)) {
    throw new UsageError(
      `${refused}: to ${what} without a prompt, add --yes; the target is ${target.description}`,
      `Run:\n  ${commandAgain(context, '--yes')}`,
    );
  }
  // With these options, notices were silent, but nobody can agree to something that was not shown.
  if (options.json || options.quiet) {
    stderr.write(`${linesFor(context, [`Target: ${target.description}`, ...preview].join('\n'))}\n`);
  }
  await askFirst?.();
  if (users > mostByKey || !target.isLoopback) {
    const check = (answer: string) => answer === target.host || `Type ${target.host}, or press Ctrl-C.`;
    await askText(context, { message: `Type ${target.host} to ${what}`, instead: '--yes', check });
  } else await requireYes(context, `Continue and ${what}?`, refused);
}
