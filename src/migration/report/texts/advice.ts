import { resolve } from 'node:path';
import { formatCount } from '../../../text/format-count.ts';
import { quotePath, takeOptions } from '../../../text/shell-quote.ts';
import { driftReason } from '../../actions/reasons.ts';
import { type CommandLine, commandThere, ofNextRun, planCommand, rerunCommand } from '../../model/job.ts';
import { type Summary, unsentRows } from '../../model/summary.ts';
import { unreadStatuses } from '../../rows/fields/looks-like-status.ts';
import { areForeign } from '../../rows/issues/count-issues.ts';
import type { IssueCode } from '../../rows/issues/issues.ts';
import { textsOfDifferences } from './difference-texts.ts';
import { listed } from './format.ts';

/** Something to do after a run, with the commands that do it, if that of the run is known. The first of them does it best. */
export interface NextStep {
  text: string;
  commands: readonly string[];
  /** True for the import after a trial. */
  isImport?: true | undefined;
}

/** Returns what to do after a run, the most urgent first; empty if all rows are users. `command`: that of the run. */
export function adviseNext(summary: Summary, command: CommandLine | undefined): NextStep[] {
  return adviceOn(summary, command).map(({ text, rerun, plan, recipe, isImport, others = [] }) => ({
    text: ofNextRun(text, command),
    isImport,
    commands: command
      ? [
          ...(rerun ? [rerunCommand(command, rerun, summary)] : []),
          ...(plan ? [planCommand(command, plan)] : []),
          ...(recipe ? [commandThere(command, recipe)] : []),
          ...others.map((one) => commandThere(command, [one, ...command.connection])),
        ]
      : [],
  }));
}

const findUsers = ['get --by-external-id ID', 'get --by-user-name NAME'];

interface Advice {
  text: string;
  /** Options for the same import again, instead of `--dry-run`, `--rehearse` and `--only`. */
  rerun?: readonly string[];
  /** Options of a plan of the file that does it. */
  plan?: readonly string[] | undefined;
  /** The words of the command that makes a recipe. */
  recipe?: readonly string[] | undefined;
  isImport?: true;
  /** Commands that do it besides, without the name of the program and the options of the connection. */
  others?: readonly string[];
}

function adviceOn(summary: Summary, command: CommandLine | undefined): Advice[] {
  if (summary.undone_at !== undefined) return undoneAdvice(summary);
  if (summary.plan !== undefined) return planAdvice(summary, command?.words ?? []);
  return summary.dry_run || summary.rehearsal ? trialAdvice(summary, command) : importAdvice(summary);
}

/** A job that was undone is not resumed: only rows without an answer were looked up. */
function undoneAdvice({ job, unknown, found_by_look_up: found }: Summary): Advice[] {
  const advice: Advice[] = [];
  if (found > 0)
    advice.push({
      text: 'The job was undone before these rows were looked up. Undo it again, into another directory, to disable the users that were found. Do not go on with it.',
      others: [`undo ${quotePath(resolve(job))} --to DIRECTORY`],
    });
  if (unknown > 0)
    advice.push({
      text: `Look up the ${formatCount(unknown, 'row')} without an answer by hand: each may be a user.`,
      others: findUsers,
    });
  return advice;
}

/** A plan is applied once, so what is left over needs a new plan. */
function planAdvice(summary: Summary, words: readonly string[]): Advice[] {
  const { unknown, conflict, failed, invalid, codes, updates_in_part: inPart = 0 } = summary;
  const { stayed_enabled: enabled = 0, unresolved = 0 } = summary;
  const unsent = unsentRows(summary);
  const open = unsent + unknown;
  const drifted = codes[driftReason.code] ?? 0;
  if (open > 0 && drifted > acceptedDrift(words)) {
    const users = `${formatCount(drifted, 'user')} met so far ${drifted === 1 ? 'is' : 'are'}`;
    const text = `${users} no longer as the plan saw them: look at failures.csv. To go on with the ${formatCount(open, 'action')} left all the same, rerun with --accept-drift ${drifted}, or more: the next such user stops the run again. Nothing is done twice.`;
    return [{ text, rerun: [acceptDrift, String(drifted)] }];
  }
  if (open > 0) {
    const goOn = `Rerun the same command to go on with the ${formatCount(unsent, 'action')} left. Nothing is done twice.`;
    return [...lookUpAdvice(unknown, 'action'), ...(unsent > 0 ? [{ text: goOn, rerun: [] }] : [])];
  }
  const left = conflict + failed + invalid - enabled;
  const texts = [
    enabled > 0 &&
      `${stillEnabled(enabled)}: disable ${enabled === 1 ? 'this user' : 'each of them'} with the command in failures.csv.`,
    left > 0 && `Look at the ${formatCount(left, 'row')} in failures.csv, which says what to do about each.`,
    inPart > 0 &&
      `${formatCount(inPart, 'user')} ${inPart === 1 ? 'was' : 'were'} updated only in part: the API cannot change every field of an existing user. plan show --action cannot lists what is left.`,
    unresolved > 0 &&
      `At most ${formatCount(unresolved, 'row')} of the job that was undone may be users who are not in this plan. Look them up by running its command with --only unanswered, then undo the job again.`,
  ];
  return texts.flatMap((text) => (text === false ? [] : [{ text }]));
}

const acceptDrift = '--accept-drift';

function acceptedDrift(words: readonly string[]): number {
  const given = takeOptions(words, { [acceptDrift]: true })
    .taken.at(-1)
    ?.at(-1);
  return Number(given?.split('=').at(-1) ?? 0);
}

/** No command can find the users of rows without an identifier. */
function lookUpAdvice(unknown: number, what: 'row' | 'action'): Advice[] {
  const text = `Rerun the same command to look up the ${formatCount(unknown, what)} without an answer before you do anything else with them: each may be ${what === 'row' ? 'a user' : 'done'} already. Look up those without an identifier by hand.`;
  return unknown > 0 ? [{ text, rerun: [], others: findUsers }] : [];
}

function importAdvice(summary: Summary): Advice[] {
  const { pending, unanswered, unknown, conflict, failed, invalid, stayed_enabled: enabled = 0 } = summary;
  const unsent = unsentRows(summary);
  const rejected = conflict + failed + invalid - (unsent - pending);
  const advice = lookUpAdvice(unknown, 'row');
  if (unsent > 0) {
    const rows =
      unanswered === undefined
        ? 'not sent yet.'
        : `left: at most ${formatCount(unanswered)} of them may have been sent, and these are looked up first.`;
    advice.push({
      text: `Rerun the same command to resume with the ${formatCount(unsent, 'row')} ${rows} No row is imported twice.`,
      rerun: [],
    });
  }
  if (enabled > 0) {
    advice.push({
      text: `${stillEnabled(enabled)}: rerun with --only failed to disable them.`,
      rerun: ['--only', 'failed'],
    });
  }
  const { OTHER_NAMES: renamed = 0 } = summary.codes;
  if (renamed > 0) {
    const [whose, them] = renamed === 1 ? ['user was', 'it'] : ['users were', 'them'];
    const text = `Look at the ${formatCount(renamed, 'row')} whose ${whose} there before and cannot be found now (OTHER_NAMES in failures.csv). No rerun creates anybody for ${them}.`;
    advice.push({ text });
  }
  const wrong = rejected - enabled - renamed - withoutPassword(summary);
  if (wrong > 0) {
    advice.push({
      text: `${correct(wrong, summary)}${failed > enabled ? ", or relax the tenant's rules" : ''}; then rerun with --only failed.`,
      rerun: ['--only', 'failed'],
    });
  }
  const kept = textsOfDifferences(summary, enabled).map(({ advice: text, plan }) => ({ text, plan }));
  return [...advice, ...passwordlessAdvice(summary, ['--only', 'failed']), ...kept];
}

function stillEnabled(users: number): string {
  return `${formatCount(users, 'user')} ${users === 1 ? 'is' : 'are'} still enabled, although the file says otherwise`;
}

/** Names the rows by their file, because failures.csv has no values to correct. An option gives many rows an algorithm. */
function correct(rows: number, { codes: { ALGORITHM_MISSING: open = 0 } }: Summary): string {
  const how = `the algorithm of ${formatCount(open, 'row')} (--algorithm, or in the recipe)`;
  if (rows === open) return `Name ${how}`;
  const rest = `Correct ${formatCount(rows - open, 'row')} of the file (failures.csv lists what is wrong)`;
  return open === 0 ? rest : `${rest}, name ${how}`;
}

/** Rows that nobody can correct, by code: their users can only be created without a password. */
const asForeign = ['--foreign-hashes', 'passwordless'];
const passwordless = {
  HASH_FOREIGN: { what: 'a hash that the API does not accept', options: asForeign },
  ALGORITHM_UNKNOWN: { what: 'a hash of another algorithm', options: asForeign },
  PASSWORD_MISSING: { what: 'no hash', options: ['--allow-passwordless'] },
} satisfies { [Code in IssueCode]?: { what: string; options: readonly string[] } };

/** Returns the kinds of such rows in a result. Mistyped names of an algorithm of the API are left out: they can be corrected. */
function passwordlessRows({ codes, issues, unknown_algorithms: unknown }: Summary) {
  const kinds = Object.entries(passwordless).filter(
    ([code]) => code !== 'ALGORITHM_UNKNOWN' || areForeign(issues, unknown),
  );
  return kinds.flatMap(([code, kind]) => (codes[code] ? [{ ...kind, rows: codes[code] }] : []));
}

function withoutPassword(summary: Summary): number {
  return passwordlessRows(summary).reduce((sum, { rows }) => sum + rows, 0);
}

function passwordlessAdvice(summary: Summary, rerun: readonly string[]): Advice[] {
  const found = passwordlessRows(summary);
  if (found.length === 0) return [];
  const who = found.map(
    ({ what, rows }) => `${formatCount(rows, 'row')} ${rows === 1 ? 'has' : 'have'} ${what}`,
  );
  const options = [...new Set(found.map((one) => one.options))].flat();
  const text = `${listed(who)}. To create these users without a password, use ${options.join(' ')}; without it they are left out.`;
  return [{ text, rerun: [...rerun, ...options] }];
}

function trialAdvice(summary: Summary, command: CommandLine | undefined): Advice[] {
  const { conflict, failed, invalid, unknown, pending, skipped, rows, codes } = summary;
  const { dry_run: isDry, asked, open_questions: open = 0 } = summary;
  const rejected = conflict + failed + invalid + unknown;
  const again = isDry ? ['--dry-run', ...(asked === undefined ? [] : ['--live'])] : ['--rehearse'];
  const refused = summary.rehearsal && command?.rehearsal.length === 0 ? failed : 0;
  const wrong = rejected - refused - withoutPassword(summary) - (codes.ENABLE ?? 0);
  const then = `${isDry ? 'check' : 'rehearse'} again`;
  const texts = [
    open > 0 && `Decide each open question in the recipe, delete it from open:, and ${then}.`,
    wrong > 0 && `${correct(wrong, summary)}, and ${then}; an import skips rejected rows.`,
  ];
  const advice: Advice[] = texts.flatMap((text) => (text === false ? [] : [{ text, rerun: again }]));
  if (refused > 0)
    advice.push({
      text: `The built-in tenant refused ${formatCount(refused, 'row')} (failures.csv says why). Yours may have other rules, such as area codes: draft them from its users, if it has some, and rehearse again with --tenant tenant.json. Correct the rows that yours refuses, too.`,
      others: ['tenant learn --output-file tenant.json'],
    });
  const kept = textsOfDifferences(summary).map(({ advice: text }) => ({ text }));
  advice.push(...passwordlessAdvice(summary, again), ...kept);
  if (!isDry && pending > 0) {
    advice.push({
      text: `The rehearsal stopped before its end: ${formatCount(pending, 'row')} ${pending === 1 ? 'was' : 'were'} not tried. Fix the cause, then rehearse again.`,
      rerun: ['--rehearse'],
    });
    return advice;
  }
  // Only rows that were rejected: there is nothing to import yet.
  if (open > 0 || (rejected > 0 && rejected + skipped === rows)) return advice;
  const unread = unreadStatuses(summary);
  if (unread.length > 0) return [...advice, statusAdvice(unread, command?.recipe, again, then)];
  const rehearse = isDry
    ? 'Use --rehearse instead of --dry-run to try a temporary tenant, or import'
    : 'Import';
  const text = `${rehearse} for real. The API cannot delete users: what is written stays.`;
  return [...advice, { text, rerun: [], isImport: true }];
}

/** Says how to have columns read that may say who may not log in: an import would create everybody enabled. */
function statusAdvice(
  unread: readonly string[],
  recipe: CommandLine['recipe'],
  again: readonly string[],
  then: string,
): Advice {
  const [may, it] = [`${listed(unread)} may say who may not log in`, unread.length === 1 ? 'it' : 'them'];
  const where = 'under skip:, disable: or, if it says something else, ignore:';
  if (!recipe) return { text: `${may}: name ${it} in the recipe, ${where}, and ${then}.`, rerun: again };
  return { text: `${may}. Make a recipe, which asks about ${it}, and ${then} with it (--recipe).`, recipe };
}
