import type { Client } from '../../../../client/client.ts';
import type { User } from '../../../../contract/wire.ts';
import type { OnStep } from '../../../../migration/model/progress-step.ts';
import type { CommandContext } from '../../../context/context.ts';
import { RefusedError, UsageError } from '../../../errors/errors.ts';
import { nameOf, readText } from '../../../input/read-input.ts';
import { findGiven, findShared, type GivenFinder, isNotFound, otherKeyOf, sharedError } from './finders.ts';

export interface Target {
  /** Absent if a finder found nobody. */
  user_id?: string;
  /** The value of the finder that named the user; absent if an id did. */
  given?: string;
  /** Absent if nobody was found. */
  user?: User;
  /** Why it is not known who the user is. */
  failure?: unknown;
}

/** The user ids of the command line and of a file. Throws a `UsageError` for text that cannot be an id. */
export async function readUserIds(
  context: CommandContext,
  userIds: readonly string[],
  from: string | undefined,
): Promise<string[]> {
  for (const id of userIds) {
    const other = isNoId(id) ? otherKeyOf(id) : undefined;
    if (!other) continue;
    const hint = `Nothing was disabled. Use ${other.finder}, once for each user.`;
    throw new UsageError(`a user id is expected, not ${other.what}`, hint);
  }
  if (from === undefined) return [...userIds];
  const listed = (await readText(context, from)).split(/\r?\n/);
  const ids = listed.flatMap((line, index) => {
    const text = line.trim();
    const fault = text === '' ? undefined : lineFault(text);
    if (fault === undefined) return text === '' ? [] : [text];
    throw new UsageError(
      `line ${index + 1} of ${nameOf(from)} is not a user id, but ${fault.what}`,
      `Nothing was disabled. ${fault.hint}`,
    );
  });
  if (ids.length === 0) throw new UsageError(`${nameOf(from)} has no user ids`, oneEach);
  return [...userIds, ...ids];
}

const oneEach = 'Write one id per line.';
const onlyIds = 'Write only user ids, one per line, without a header.';

/** Lines that are no ids but often occur in lists of ids, with a hint for each. */
const lineFaults: readonly [pattern: RegExp, what: string, hint: string][] = [
  [/^#/, 'a comment', onlyIds],
  [/[,;\t]/, 'a line of a CSV file', onlyIds],
  [/^"?(user_?)?(id|name|email)"?$/i, 'a header', onlyIds],
];

function lineFault(line: string): { what: string; hint: string } | undefined {
  const [, what, hint] = lineFaults.find(([pattern]) => pattern.test(line)) ?? [];
  if (what !== undefined && hint !== undefined) return { what, hint };
  const other = isNoId(line) ? otherKeyOf(line) : undefined;
  return other && { what: other.what, hint: `${onlyIds} Or use ${other.finder}, once for each user.` };
}

/** True for text with characters that no service uses in ids. Other text is left to the service to judge. */
function isNoId(text: string): boolean {
  return /[@+\s]/.test(text);
}

/**
 * Looks up everybody whom the finders name, each once, as they are now: the answer to a disable call does not say who was disabled
 * before. Throws before anybody is changed if the service cannot answer.
 */
export async function findTargets(client: Client, finders: readonly GivenFinder[], report: OnStep) {
  const find = async (finder: GivenFinder): Promise<Target> => {
    const { field, given } = finder;
    const found = await lookUp(findGiven(client, finder));
    if (field === 'user_id') return { user_id: given, ...found };
    return { given, ...found, ...(found.user ? { user_id: found.user.user_id } : {}) };
  };
  const targets: Target[] = [];
  for (let at = 0; at < finders.length; at += atOnce) {
    targets.push(...(await Promise.all(finders.slice(at, at + atOnce).map(find))));
    report({ what: 'users looked up', done: targets.length, total: finders.length });
  }
  const isByExternalId = (at: number) =>
    finders[at]?.field === 'external_id' && targets[at]?.user !== undefined;
  const externalIds = finders.flatMap(({ given }, at) => (isByExternalId(at) ? [given] : []));
  const shared = await findShared(client, externalIds, report);
  const sure = targets.map((target, at): Target => {
    const { given = '' } = target;
    return isByExternalId(at) && shared.has(given) ? { given, failure: sharedError(given) } : target;
  });
  const seen = new Set<string>();
  return sure.filter(({ user_id }) => {
    if (user_id === undefined) return true;
    return !seen.has(user_id) && seen.add(user_id);
  });
}

/** Look-ups in flight at a time: a long list must neither take minutes nor use up a tenant's rate limit. */
const atOnce = 8;

async function lookUp(finding: Promise<User>): Promise<Pick<Target, 'user' | 'failure'>> {
  try {
    return { user: await finding };
  } catch (failure) {
    if (isNotFound(failure) || failure instanceof RefusedError) return { failure };
    throw failure;
  }
}
