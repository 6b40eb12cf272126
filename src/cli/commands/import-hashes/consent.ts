import type { Preview } from '../../../migration/model/preview.ts';
import { formatCount } from '../../../text/format-count.ts';
import { requireConsent } from '../../connection/consent.ts';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { confirm } from '../../input/prompts.ts';

/** What will happen to how many, and that it stays; `done`: users that earlier runs of the job have imported. */
export function describePreview({ ready, rejected }: Preview, done: number): string {
  const before = done === 0 ? '' : `, ${formatCount(done)} ${done === 1 ? 'was' : 'were'} before`;
  const others = rejected === 0 ? '' : `; ${formatCount(rejected, 'row')} will be rejected`;
  return `${formatCount(ready, 'row')} will be imported${before}${others}. The API cannot delete a user, enable one again or change a hash: what is written stays.`;
}

/** Asks whether to import, and first whether the default of the API about passwords is meant. */
export function requireImportConsent(
  context: CommandContext,
  { ready, must_change_by_default: byDefault }: Preview,
  { lines, again }: { lines: readonly string[]; again: (...options: string[]) => string },
): Promise<void> {
  const refused = 'nothing was sent';
  return requireConsent(context, {
    users: ready,
    what: `import ${formatCount(ready, 'user')}`,
    refused,
    preview: lines,
    again,
    async askFirst() {
      if (byDefault === 0) return;
      const whose =
        byDefault === 1 ? 'the password of 1 user' : `the passwords of ${formatCount(byDefault)} users`;
      if (await confirm(context, `Must ${whose} be changed at the first login?`)) return;
      throw new UsageError(
        refused,
        `To let them keep it, run:\n  ${again('--set', 'pwd_must_modify=false')}`,
      );
    },
  });
}
