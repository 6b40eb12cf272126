import { formatCount } from '../../../text/format-count.ts';
import { asOperand, quoteWord } from '../../../text/shell-quote.ts';
import type { AlgorithmVerification } from '../../canaries/verify-canaries.ts';
import { readingWords } from '../../input/reading-words.ts';
import { listed } from '../../report/texts/format.ts';
import { factsOf, have, type Notice, noticesOf, toNotices } from '../../report/texts/notices.ts';
import type { Plan } from './plan-schemas.ts';

interface PlanNoticeOptions {
  /** Quotes a word of a command, for which shells. */
  quote?: typeof quoteWord;
  /** The plan can still be made in another way: it was not agreed to yet. */
  canBeMadeAgain?: boolean;
  /** What known passwords have verified. */
  verified?: readonly AlgorithmVerification[];
}

/** Returns what a person must know about a plan before it is applied. */
export function noticesOfPlan(
  plan: Plan,
  { quote = quoteWord, canBeMadeAgain = true, verified = [] }: PlanNoticeOptions = {},
): Notice[] {
  const {
    people,
    totals,
    file: { rows },
    options: { only, disable_all: disablesAll },
    shared_external_ids = 0,
    reasons: { FILE_SAYS: found = 0, ABSENT: absent = 0 },
  } = plan;
  // With --disable-all, the recipe says nothing about the users who are there.
  const to_disable = people.to_disable + (disablesAll ? 0 : found);
  const { skipped } = totals;
  const { by_algorithm, not_verified: algorithms } = factsOf(people, verified);
  const ofRows = { rows, skipped, shared_external_ids };
  const facts = { ...people, ...ofRows, to_disable, by_algorithm, not_verified: [] };
  const keep = only === 'create' ? keepByCreate : keepByPlan;
  const notices = noticesOf(facts, canBeMadeAgain ? keep : null, only);
  if (algorithms.length > 0) {
    const text = `Not verified by the plan: ${listed(algorithms)}. Try known passwords first: ${rehearsalCommand(plan, quote)}`;
    notices.push({ text, isWarning: true });
  }
  const disabled = totals.disable + people.to_disable;
  if (disabled > to_disable) {
    const parts = [
      people.to_disable > 0 && `${formatCount(people.to_disable)} after the create`,
      found > 0 && `${formatCount(found)} as the file says`,
      absent > 0 && `${formatCount(absent)} who ${absent === 1 ? 'is' : 'are'} not in it`,
    ].filter((part) => part !== false);
    const how = parts.length > 1 ? ` in all (${parts.join(', ')})` : '';
    const text = `${formatCount(disabled, 'user')} will be disabled${how}, which the API cannot take back: their names stay taken.`;
    notices.push({ text, isWarning: true });
  }
  return [...notices, ...noticesOfRows(plan), ...noticesOfUndo(plan)];
}

/** What lets people keep their passwords. Only a command with --csv, or such a plan, has one kind of change. */
const keepByPlan = 'make the plan again with --set pwd_must_modify=false';
const keepByCreate = `run create --csv again with --no-must-modify, or ${keepByPlan}`;

/**
 * True if every row and every user has an action, no update leaves a field as it is, and no row of a job that is undone is without
 * an answer.
 */
export function isDecided({ totals, updates_in_part: inPart = 0, undoes }: Plan): boolean {
  return totals.conflict + totals.cannot + totals.invalid + inPart + (undoes?.unresolved ?? 0) === 0;
}

function noticesOfRows({ reasons, updates_in_part: inPart = 0, since }: Plan): Notice[] {
  // The tenant shows neither hashes nor pwd_must_modify: only the file of an earlier job does.
  const left = since ? 'the hash, pwd_must_modify or the external ID' : 'the external ID';
  const { NO_KEY: nameless = 0, VANISHED_OWNER: owners = 0, NOBODY: created = 0 } = reasons;
  const vanished = since?.vanished ?? 0;
  const texts = [
    nameless > 0 &&
      `${formatCount(nameless, 'row')} ${nameless === 1 ? 'has' : 'have'} no identifier, so it is not known whether the users exist: every plan of the file creates them again. Give the rows a user name, an e-mail address, a mobile number or an external ID.`,
    since?.older_job !== undefined &&
      `The file is that of the job in ${since.older_job}, before the one of ${since.job}: users who came since then count as no longer in it.`,
    since?.other_order === true &&
      vanished > 0 &&
      created > 0 &&
      `The rows are in another order than in the earlier file, so nobody can tell a user with other identifiers from a newcomer: before you apply the plan, compare ${formatCount(created, 'row')} to create with ${formatCount(vanished, 'user')} no longer in the file (vanished.csv), or make the plan with --key.`,
    owners > 0 &&
      `${formatCount(owners, 'user')} who ${owners === 1 ? 'is' : 'are'} no longer in the file ${have(owners)} an identifier of a row about somebody else (VANISHED_OWNER). The plan leaves them as they are, since such a row may be about them; vanished.csv lists them.`,
    inPart > 0 &&
      `${formatCount(inPart, 'user')} will be updated only in part: the API cannot change ${left} of an existing user. plan show --action cannot lists them, too.`,
  ];
  return toNotices(texts, true);
}

const were = (count: number) => (count === 1 ? 'was' : 'were');

function noticesOfUndo({ undoes, reasons, totals }: Plan): Notice[] {
  if (!undoes) return [];
  const {
    LOGGED_IN: used = 0,
    CHANGED: changed = 0,
    ACTIVE: active = 0,
    GONE: gone = 0,
    IS_DISABLED: before = 0,
    IN_NEW_IMPORT: wanted = 0,
  } = reasons;
  const {
    unresolved,
    logins_shown: shown = false,
    pending = 0,
    kept,
    shard,
    undone_at: undone,
    undone_by: by,
    new_import: newImport,
    lost_import: lost,
  } = undoes;
  const warnings = [
    shard !== undefined &&
      `The job is shard ${shard} of its file: users whom the other shards created are not in this plan.`,
    unresolved > 0 &&
      `At most ${formatCount(unresolved, 'row')} of the job may have been sent and ${have(unresolved)} no answer: their users, if there are any, are not in this plan. To find these users, run the import, or apply of the plan, with --only unanswered, which sends nothing; then undo the job again. Look up those without an identifier by hand.`,
    pending > 0 &&
      `The job is not complete: ${formatCount(pending, 'row')} ${were(pending)} not sent. After the undo it cannot be resumed.`,
    used > 0 &&
      `${formatCount(used, 'user')} ${have(used)} logged in since and ${used === 1 ? 'is' : 'are'} left out. --with-active disables them too.`,
    changed > 0 &&
      `${formatCount(changed, 'user')} ${were(changed)} changed since and ${changed === 1 ? 'is' : 'are'} left out. --with-active disables them too.`,
    wanted > 0 &&
      `${formatCount(wanted, 'user')} ${wanted === 1 ? 'is' : 'are'} also in the import that replaced the job, and ${wanted === 1 ? 'is' : 'are'} left out.`,
    newImport !== undefined &&
      totals.disable > 0 &&
      `Users of plans that were applied since the job was started over in ${newImport} are not left out unless the import there has them.`,
    lost !== undefined &&
      `The job was started over in ${lost}, and its new import is not there any more, or was purged: users of that import are not left out.`,
    active > 0 &&
      `${formatCount(active)} of them ${have(active)} logged in or ${were(active)} changed since.`,
  ];
  const left = totals.disable + totals.conflict;
  const facts = [
    undone !== undefined &&
      `The job was undone at ${undone}${by === undefined ? '' : ` by the plan in ${by}`}: ${formatCount(before, 'user')} ${have(before)} been disabled, and ${formatCount(left)} ${left === 1 ? 'is' : 'are'} left.`,
    gone > 0 &&
      `${formatCount(gone, 'user')} of the job ${gone === 1 ? 'is' : 'are'} no longer in the tenant.`,
    kept > 0 &&
      `${formatCount(kept, 'user')} whom the job updated or disabled ${kept === 1 ? 'stays' : 'stay'} so.`,
    totals.disable > 0 &&
      used + active === 0 &&
      !shown &&
      'No login of any of them is known: a tenant that does not count logins (usr_auth_times) would not show one.',
  ];
  return [...toNotices(warnings, true), ...toNotices(facts, false)];
}

/** Returns the command that rehearses the import of a plan's file as the plan reads it. A plan stores no HMAC key: it is left out. */
function rehearsalCommand(
  { file, reading }: Pick<Plan, 'file' | 'reading'>,
  quote: typeof quoteWord,
): string {
  const words = [
    'tenant-users',
    'import-hashes',
    ...[asOperand(file.path), ...readingWords(reading)].map(quote),
  ];
  return [...words, '--rehearse', '--canary', 'known.csv'].join(' ');
}
