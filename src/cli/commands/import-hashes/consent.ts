import type { Preview } from '../../../migration/model/preview.ts';
import { formatCount } from '../../../text/format-count.ts';
import { targetTenant } from '../../connection/target-tenant.ts';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { askText, canAsk, confirm } from '../../input/prompts.ts';
import { linesFor } from '../../output/show.ts';

/** For more users than these a key that is pressed by habit is not enough. */
const mostByKey = 100;

/** What will happen to how many, and that it stays. */
export function describePreview({ ready, rejected }: Preview): string {
  const others = rejected === 0 ? '' : `; ${formatCount(rejected, 'row')} will be rejected`;
  return `${formatCount(ready, 'row')} will be imported${others}. The API cannot delete a user, enable one again or change a hash: what is written stays.`;
}

/**
 * Asks a person whether to import into a tenant, and for the host of the tenant where it is not on this machine or the
 * users are many; `--yes` answers for a script. Throws a `UsageError`, with the commands that go on, where nobody agrees.
 */
export async function requireConsent(
  context: CommandContext,
  { ready, must_change_by_default: byDefault }: Preview,
  { lines, again }: { lines: readonly string[]; again: (...options: string[]) => string },
): Promise<void> {
  const { options, stderr } = context;
  const target = targetTenant(context);
  if (options.yes || target.isEmbedded || ready === 0) return;
  const what = `import ${formatCount(ready, 'user')}`;
  if (!canAsk(context)) {
    throw new UsageError(
      `nothing was sent: to ${what} into ${target.description} a script must agree with --yes`,
      `Run:\n  ${again('--yes')}`,
    );
  }
  // With these the notices were silent, and nobody agrees to what is not shown.
  if (options.json || options.quiet) {
    const all = [`Target: ${target.description}`, ...lines];
    stderr.write(`${linesFor(context, all.join('\n'))}\n`);
  }
  if (byDefault > 0) {
    const whose =
      byDefault === 1 ? 'the password of 1 user' : `the passwords of ${formatCount(byDefault)} users`;
    if (!(await confirm(context, `Must ${whose} be changed at the first login?`))) {
      throw new UsageError(
        'nothing was sent',
        `To let them keep it, run:\n  ${again('--set', 'pwd_must_modify=false')}`,
      );
    }
  }
  if (ready > mostByKey || !target.isLoopback) {
    const check = (answer: string) => answer === target.host || `Type ${target.host}, or press Ctrl-C.`;
    await askText(context, { message: `Type ${target.host} to ${what}`, instead: '--yes', check });
  } else if (!(await confirm(context, `Go on, and ${what}?`))) {
    throw new UsageError('nothing was sent', 'Answer y to continue, or use --yes.');
  }
}
