import { hashAlgorithms } from '../../../contract/attributes.ts';
import { formatCount } from '../../../text/format-count.ts';
import type { ChangingKind } from '../../actions/reasons.ts';
import type { AlgorithmVerification } from '../../canaries/verify-canaries.ts';
import { mostFrequent } from '../../model/most-frequent.ts';
import type { PeopleCount, Preview } from '../../model/preview.ts';
import type { Summary } from '../../model/summary.ts';
import { warnOfOpen } from '../../recipes/open-questions.ts';
import { countByAlgorithm } from '../../records/summarize.ts';
import { looksLikeStatus } from '../../rows/fields/looks-like-status.ts';
import { textsOfDifferences } from './difference-texts.ts';
import { listed } from './format.ts';

/** Something that people must know about an import, before and after it. */
export interface Notice {
  text: string;
  isWarning: boolean;
}

/** What is known about an import, before or after it; only a summary says what kind of run it was. */
export type NoticeFacts = Partial<Summary & Pick<Preview, 'disabled_rows'>> &
  Pick<Summary, PeopleCount | 'ignored_columns' | 'by_algorithm' | 'not_verified'>;

/** Returns what is known before the first row. `whole`: of all rows of the file, if the preview is of some of them. */
export function factsOf(
  preview: Preview,
  canaries: readonly Pick<AlgorithmVerification, 'algorithm' | 'matched' | 'otherKeys'>[],
  whole: Preview = preview,
): NoticeFacts {
  const found = countByAlgorithm([], preview, canaries);
  const unverified = hashAlgorithms.filter((name) => found[name]?.canaries === 0);
  const { skipped, disabled_rows, by_condition = {} } = whole;
  const rows = whole.ready + whole.rejected + skipped;
  const ofFile = { rows, skipped, disabled_rows, by_condition };
  return { ...preview, ...ofFile, by_algorithm: found, not_verified: unverified };
}

/**
 * Returns what happens to users, which columns are left out, and which hashes are not verified. `keep`: the words for what
 * lets people keep their passwords; `null` if it is too late for that, and for leaving rows out. `only`: the one kind of change
 * that a plan makes.
 */
export function noticesOf(
  facts: NoticeFacts,
  keep: string | null = 'add --set pwd_must_modify=false',
  only: ChangingKind | null = null,
): Notice[] {
  const { open_questions: open = 0 } = facts;
  // Whoever was there before the import keeps the password.
  const isAboutNobody = isImported(facts) && facts.created === 0;
  const isCreating = !isAboutNobody && (only ?? 'create') === 'create';
  const to_disable = isImported(facts) ? (facts.disabled_after_create ?? 0) : facts.to_disable;
  // A summary has no other count of the rows.
  const people = { ...facts, to_disable, disabled_rows: facts.disabled_rows ?? facts.to_disable };
  return [
    ...(isAboutNobody ? [] : [...passwordNotices(facts, keep), ...peopleNotices(people, keep)]),
    ...conditionNotices(people),
    ...columnNotices(facts, isCreating ? 'create' : only),
    ...(isCreating ? unreadNotices(facts) : []),
    ...verificationNotices(facts),
    ...correctionNotices(facts),
    ...toNotices([open > 0 && `${warnOfOpen(open)}.`], true),
  ];
}

/** Says which users of a job are not as its corrected file says. */
function correctionNotices(facts: NoticeFacts): Notice[] {
  const { plan, without_row: left = 0 } = facts;
  // For a plan, these codes are reasons of rows without an action.
  if (plan !== undefined) return [];
  const texts = [
    ...textsOfDifferences(facts).map(({ what }) => what),
    left > 0 &&
      `${formatCount(left, 'user')} of this job ${have(left)} no valid row in this file. They stay in the tenant and in users.csv.`,
  ];
  return toNotices(texts, true);
}

/** True after an import or the application of a plan: what it did cannot be changed any more. */
function isImported({ dry_run: isDry, rehearsal }: NoticeFacts): boolean {
  return isDry === false && rehearsal === false;
}

/** The users of so many rows that pass the checks: after an import at most those whom it created. */
function usersOf(rows: number, facts: NoticeFacts): { most: number; text: string } {
  const most = isImported(facts) ? Math.min(rows, facts.created ?? rows) : rows;
  return { most, text: `${most < rows ? 'At most ' : ''}${formatCount(most, 'user')}` };
}

function passwordNotices(facts: NoticeFacts, keep: string | null) {
  const { must_change_password: all, must_change_by_default: byDefault } = facts;
  if (all === 0) return [];
  const { most, text } = usersOf(all, facts);
  const who = `${text} must change the password at the first login`;
  if (byDefault === 0) return [{ text: `${who}, as pwd_must_modify says.`, isWarning: false }];
  const whose = byDefault === all ? '' : `, ${formatCount(Math.min(byDefault, most))} of them`;
  const rest = byDefault === 1 ? 'this one' : `these ${formatCount(byDefault)}`;
  const after =
    isImported(facts) || keep === null
      ? '. This cannot be changed after the import.'
      : `. To let ${byDefault === all ? 'them' : rest} keep it, ${keep}.`;
  return [{ text: `${who}${whose} by the default of the API${after}`, isWarning: true }];
}

/** Names the first of some rows. */
function rowsNamed(rows: readonly number[], all: number): string {
  const named = rows.slice(0, 5).map(String);
  const more = all > named.length ? [`${formatCount(all - named.length)} more`] : [];
  return `${all === 1 ? 'row' : 'rows'} ${listed([...named, ...more])}`;
}

export const have = (count: number) => (count === 1 ? 'has' : 'have');

/** Returns a notice for each text; `false` adds none. */
export function toNotices(texts: readonly (string | false)[], isWarning: boolean): Notice[] {
  return texts.flatMap((text) => (text === false ? [] : [{ text, isWarning }]));
}

function peopleNotices(facts: NoticeFacts, keep: string | null): Notice[] {
  const {
    without_password: without,
    without_login_name: unnamed,
    to_disable: disabled,
    same_hash: same,
    copies = 0,
    shared_external_ids: shared = 0,
    shared_with_skipped: { users: sharing, rows: sharingRows } = { users: 0, rows: [] },
    plan,
  } = facts;
  const [nameless, passwordless] = [usersOf(unnamed, facts), usersOf(without, facts)];
  const were = disabled === 1 ? 'was' : 'were';
  const texts = [
    copies > 0 &&
      `${formatCount(copies, 'user')} would be created a second time: ${copies === 1 ? 'its row has' : 'their rows have'} no identifier but an external ID that a user of the tenant has, and the API accepts it again. Leave ${copies === 1 ? 'this row' : 'these rows'} out, or add a user name, mobile number or e-mail address.`,
    shared > 0 &&
      `${formatCount(shared, 'row')} ${have(shared)} an external ID that another user of the tenant has: the API accepts it again, and nobody can change it later. If it is the number of somebody else in another system, write it with a prefix, such as external_id: { template: "shop-{id}" } in a recipe.`,
    sharing > 0 &&
      `${formatCount(sharing, 'user')} ${have(sharing)} an identifier of somebody whom the recipe leaves out (skip:), such as the same e-mail address: ${rowsNamed(sharingRows, sharing)}. If both are one person who may not log in, ${isImported(facts) ? `disable ${sharing === 1 ? 'this user' : 'these users'}` : `leave ${sharing === 1 ? 'this row' : 'these rows'} out, too`}.`,
    nameless.most > 0 &&
      `${nameless.text} ${have(nameless.most)} no user name, mobile number or e-mail address. The service makes up a user name that nobody knows, so they cannot log in${isImported(facts) || keep === null ? '' : ': leave these rows out, or add the column with the names'}.`,
    passwordless.most > 0 &&
      `${passwordless.text} will have no password, and must set one before the first login.`,
    disabled > 0 &&
      `${formatCount(disabled, 'user')}${plan === undefined ? '' : ' of those who were created'} ${isImported(facts) ? were : 'will be'} disabled, as the recipe says. The API cannot enable them again.`,
    same > 0 &&
      `${formatCount(same, 'user')} have the same bcrypt hash, so one password works for all of them. This does not happen by chance: the export is from a test copy in which all passwords were reset, or a script gave these users the same initial password. Check that the file was exported from the live system.`,
  ];
  return toNotices(texts, true);
}

/** What becomes of people whose status is in an ignored column; an update changes nobody's. `it`: these columns. */
const ignoredStatus: { [Kind in ChangingKind]?: (it: string) => string } = {
  create: (it) =>
    `the import ignores ${it}: people who were disabled by ${it} in the old system would come back enabled. Leave their rows out (skip: of a recipe), or disable these users after the import. What says something else, a recipe can name under ignore:.`,
  disable: (it) =>
    `disable ignores ${it}: every user whom the file names is disabled. Remove the rows of people who stay.`,
};

/** Says what each condition of the recipe does, so that a wrong one shows; nobody means to leave out or disable most of a file. */
function conditionNotices({
  plan,
  rows = 0,
  skipped = 0,
  to_disable: disabled,
  disabled_rows: marked = 0,
  by_condition: found = {},
}: NoticeFacts): Notice[] {
  // An applied plan counts users of no row as well; its page says this of the rows.
  if (plan !== undefined) return [];
  const all = formatCount(rows, 'row');
  const texts = mostFrequent(found).map(([condition, number]) => {
    const isSkip = condition.startsWith('skip:');
    const what = isSkip ? 'leaves out' : 'holds for';
    return (isSkip ? skipped : disabled) > 0 && `${condition} ${what} ${formatCount(number)} of ${all}.`;
  });
  const left =
    skipped === rows ? 'every row, so that nobody is imported' : `${formatCount(skipped)} of ${all}`;
  const warnings = [
    disabled > 0 &&
      areMost(marked, rows - skipped) &&
      'disable: of the recipe holds for most of the file. Compare it with the values of the columns that it names.',
    areMost(skipped, rows) &&
      `The recipe leaves out ${left}. Compare its skip: with the values of the columns that it names.`,
  ];
  return [...toNotices(texts, false), ...toNotices(warnings, true)];
}

const areMost = (part: number, all: number) => part * 2 > all;

function columnNotices(
  { ignored_columns: ignored, status_columns: byValues = [] }: NoticeFacts,
  kind: ChangingKind | null,
): Notice[] {
  if (ignored.length === 0) return [];
  const statuses = ignored.filter(looksLikeStatus);
  const others = byValues.filter((name) => !statuses.includes(name));
  const then = kind === null ? undefined : ignoredStatus[kind];
  const about = (names: readonly string[], one: string, many: string) =>
    names.length > 0 &&
    then !== undefined &&
    `${listed(names)} ${names.length === 1 ? one : many}, and ${then(names.length === 1 ? 'it' : 'them')}`;
  const mayBe = about(
    others,
    'has values that may say who may not log in',
    'have values that may say who may not log in',
  );
  return [
    ...toNotices([`Columns ignored: ${ignored.join(', ')}.`], false),
    // Whoever is disabled by mistake stays so, while most columns that an import ignores are something else.
    ...toNotices([mayBe], kind === 'disable'),
    ...toNotices([about(statuses, 'looks like a status', 'look like a status')], true),
  ];
}

/** Warns of columns that the file lacks, and of those that nothing reads. */
function unreadNotices({ missing_status: missing = [], salt_columns: salts = [] }: NoticeFacts): Notice[] {
  const it = missing.length === 1 ? 'it' : 'them';
  const texts = [
    missing.length > 0 &&
      `The recipe finds people who may not log in by ${listed(missing)}, which no record of the file has: every user is created enabled. If the export left ${it} out, people who were disabled in the old system would come back enabled: export ${it} too.`,
    salts.length > 0 &&
      `${listed(salts)} may hold salts (short random texts beside digests): if the passwords were hashed with them, nobody can log in. Prove a known password first (--canary); if it does not match, say in a recipe algorithm: { foreign: digest with a salt }, otherwise name the column under ignore:.`,
  ];
  return toNotices(texts, true);
}

function verificationNotices(facts: NoticeFacts): Notice[] {
  const each = hashAlgorithms.flatMap((name) => {
    const { canaries = 0 } = facts.by_algorithm[name] ?? {};
    return canaries > 0 ? [`${name} (${formatCount(canaries)})`] : [];
  });
  const verified = { text: `Verified with known passwords: ${listed(each)}.`, isWarning: false };
  return [...(each.length > 0 ? [verified] : []), ...unverifiedNotices(facts)];
}

/** Names what no known password was tried for: algorithms, and HMAC keys besides the verified ones. */
export function unverifiedNotices({
  by_algorithm: found,
  not_verified: others,
}: Pick<NoticeFacts, 'by_algorithm' | 'not_verified'>): Notice[] {
  const rows = found.hmacsha256_base64_key?.other_keys ?? 0;
  const texts = [
    rows > 0 &&
      `Not verified: ${formatCount(rows, 'row')} ${have(rows)} another HMAC key than the verified ones. No known password was tried with it (--canary), so it is not known whether these users can log in.`,
    others.length > 0 &&
      `Not verified: ${listed(others)}. No known password was tried (--canary), so it is not known whether users with these hashes can log in.`,
  ];
  return toNotices(texts, true);
}
