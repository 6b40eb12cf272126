import { formatCount } from '../../text/format-count.ts';
import type { Plan } from './plan-schemas.ts';

const were = (count: number) => (count === 1 ? 'was' : 'were');
const have = (count: number) => (count === 1 ? 'has' : 'have');

/** Returns what a person must know about an undo before it is applied; nothing for any other plan. */
export function noticesOfUndo({ undoes, reasons, totals }: Plan): { text: string; isWarning: boolean }[] {
  if (!undoes) return [];
  const { LOGGED_IN: used = 0, CHANGED: changed = 0, ACTIVE: active = 0, GONE: gone = 0 } = reasons;
  const { unresolved, kept, shard } = undoes;
  const warnings = [
    shard !== undefined &&
      `The job is shard ${shard} of its file: users whom the other shards created are not in this plan.`,
    unresolved > 0 &&
      `At most ${formatCount(unresolved, 'row')} of the job may have been sent and ${have(unresolved)} no answer: their users, if there are any, are not in this plan. Rerun the import with --only unanswered, or apply the plan again, which looks them up; then undo the job again.`,
    used > 0 &&
      `${formatCount(used, 'user')} ${have(used)} logged in since and ${used === 1 ? 'is' : 'are'} left out. --with-active disables them too.`,
    changed > 0 &&
      `${formatCount(changed, 'user')} ${were(changed)} changed since and ${changed === 1 ? 'is' : 'are'} left out. --with-active disables them too.`,
    active > 0 &&
      `${formatCount(active)} of them ${have(active)} logged in or ${were(active)} changed since.`,
  ];
  const facts = [
    gone > 0 &&
      `${formatCount(gone, 'user')} of the job ${gone === 1 ? 'is' : 'are'} no longer in the tenant.`,
    kept > 0 &&
      `${formatCount(kept, 'user')} whom the job updated or disabled ${kept === 1 ? 'stays' : 'stay'} so.`,
    totals.disable > 0 &&
      used + active === 0 &&
      'No login of any of them is known: a tenant that does not count logins (usr_auth_times) would not show one.',
  ];
  const said = (texts: readonly (string | false)[], isWarning: boolean) =>
    texts.flatMap((text) => (text === false ? [] : [{ text, isWarning }]));
  return [...said(warnings, true), ...said(facts, false)];
}
