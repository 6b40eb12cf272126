import { quoteWord } from '../../text/shell-quote.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { askText, canAsk, requireYes } from '../input/prompts.ts';
import { linesFor } from '../output/show.ts';
import { targetTenant } from './target-tenant.ts';

/** For more users than these a key that is pressed by habit is not enough. */
const mostByKey = 100;

/** A change of users that somebody must agree to, since the API has no way back. */
export interface Change {
  users: number;
  /** In words, such as `import 2 users`, and what did not happen where nobody agrees. */
  what: string;
  refused: string;
  /** What there is to know before; the caller has said it already where notices are not silent. */
  preview: readonly string[];
  /** The same command with more options. */
  again(...options: string[]): string;
  /** Asks what must be known before; throws what ends the command. */
  askFirst?(): Promise<void>;
}

/** Does a change of the target need consent? The database of the embedded service belongs to this person. */
export function needsConsent(context: CommandContext): boolean {
  return !context.options.yes && !targetTenant(context).isEmbedded;
}

/**
 * Asks a person whether to change users of a tenant, and for the host of the tenant where it is not on this machine or the
 * users are many; `--yes` answers for a script. Throws a `UsageError`, with the command that goes on, where nobody agrees.
 */
export async function requireConsent(context: CommandContext, change: Change): Promise<void> {
  const { users, what, refused, preview, again, askFirst } = change;
  if (!needsConsent(context) || users === 0) return;
  const { options, stderr } = context;
  const target = targetTenant(context);
  if (!canAsk(context)) {
    throw new UsageError(
      `${refused}: to ${what}, a script must agree with --yes; the target is ${target.description}`,
      `Run:\n  ${again('--yes')}`,
    );
  }
  // With these the notices were silent, and nobody agrees to what is not shown.
  if (options.json || options.quiet) {
    stderr.write(`${linesFor(context, [`Target: ${target.description}`, ...preview].join('\n'))}\n`);
  }
  await askFirst?.();
  if (users > mostByKey || !target.isLoopback) {
    const check = (answer: string) => answer === target.host || `Type ${target.host}, or press Ctrl-C.`;
    await askText(context, { message: `Type ${target.host} to ${what}`, instead: '--yes', check });
  } else await requireYes(context, `Go on, and ${what}?`, refused);
}

/** The command line itself with more options, as a shell reads it; after `--` all words are operands. */
export function commandAgain({ args }: CommandContext, ...options: string[]): string {
  const at = args.indexOf('--');
  const end = at < 0 ? args.length : at;
  const words = [...args.slice(0, end), ...options, ...args.slice(end)];
  return ['tenant-users', ...words.map(quoteWord)].join(' ');
}
