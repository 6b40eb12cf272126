import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { uniqueAttributes } from '../../../contract/normal-forms.ts';
import { pathIn } from '../../../migration/directory/job-files.ts';
import { JobDirectoryError } from '../../../migration/model/errors.ts';
import type { Shard } from '../../../migration/model/shard.ts';
import type { Plan } from '../../../migration/plan/document/plan-schemas.ts';
import type { Columns } from '../../../migration/rows/columns.ts';
import type { PreparedSource } from '../../../migration/rows/prepared-source.ts';
import { formatCount } from '../../../text/format-count.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import { readSettings } from '../../config/settings.ts';
import type { CommandContext } from '../../context/context.ts';
import { isLogOff } from '../../log/log-files.ts';
import { type LogEntry, type RunBegun, readLoggedRuns } from '../../log/read-log.ts';

/** The properties of a planned import that are compared with those of earlier runs. */
interface PlannedImport {
  /** SHA-256 of the bytes of its file, in hex. */
  source: string;
  target: Readonly<Record<string, string>>;
  shard: Shard | undefined;
  directory: string;
}

/**
 * Warns if the file was imported into the tenant before, by a job that this one does not resume. Throws a `JobDirectoryError` if
 * every row would become a second user, because no column has a unique attribute; only warns with `restart`. Warns as well that
 * nobody could notice this the next time, if the log is off.
 */
export function warnOfEarlierImport(
  context: CommandContext,
  { digest }: Pick<PreparedSource, 'digest'>,
  { known }: Pick<Columns, 'known'>,
  { restart, ...job }: Omit<PlannedImport, 'source'> & { restart: boolean },
  say: (text: string) => void,
): void {
  const unique: readonly string[] = uniqueAttributes;
  const hasUnique = known.some(({ target }) => unique.includes(target));
  if (isLogOff(context) && !hasUnique) {
    say(
      'Warning: no column has a user name, e-mail address or mobile number, and TENANT_USERS_NO_LOG is set: a later import of this file with another job directory would not be noticed, and would create its users a second time.',
    );
  }
  const earlier = findEarlierImport(context, { source: digest, ...job });
  if (!earlier) return;
  const { kind, time, directory, hasJournal, isSince } = earlier;
  const goOn = kind === 'plan' ? 'apply that plan again' : `use --job ${quotePath(directory)}`;
  const what = `${isSince ? 'since the last run of this job ' : ''}this file was imported into this tenant at ${time}, with the ${kind === 'plan' ? 'plan' : 'job'} directory ${directory}`;
  const next = hasJournal
    ? `To go on with it, ${goOn}.`
    : `Its journal, which records who was created, is missing: restore ${quotePath(directory)}.`;
  if (restart || hasUnique) {
    say(
      `Warning: ${what}. Users without a user name, e-mail address or mobile number are created a second time. ${next}`,
    );
    return;
  }
  throw new JobDirectoryError(
    job.directory,
    `${what}, and no column has a user name, e-mail address or mobile number: its users would be created a second time`,
    `${next} To ${isSince ? 'go on with this job all the same, rename that directory' : 'create everybody again, add --restart'}.`,
  );
}

/**
 * Throws a `JobDirectoryError` if the plan creates users of rows without an identifier, and an import or another plan of the same
 * file was carried out in this tenant: nobody could see that they are there already.
 */
export function refuseSecondCreation(
  context: CommandContext,
  { file, target, reasons: { NO_KEY: nameless = 0 } }: Plan,
  directory: string,
): void {
  // A database of one's own is often made again under the same name.
  if (nameless === 0 || readSettings(context).local !== undefined) return;
  const job = { source: file.digest, target, shard: undefined, directory };
  const earlier = findEarlierImport(context, job);
  if (!earlier) return;
  const rows = `${formatCount(nameless, 'row')} ${nameless === 1 ? 'has' : 'have'}`;
  throw new JobDirectoryError(
    directory,
    `${rows} no identifier, and the file was imported into this tenant at ${earlier.time}, with the directory ${earlier.directory}: their users would be created a second time`,
    'Give these rows a user name, an e-mail address, a mobile number or an external ID, or remove them from the file; then make a new plan.',
  );
}

/** An earlier import that sent rows, or may have sent some. */
interface EarlierImport {
  /** `plan` if a plan was applied. */
  kind: RunBegun['kind'];
  time: string;
  directory: string;
  /** True if its journal still exists, so that it can be resumed. */
  hasJournal: boolean;
  /** True if the planned job has an unfinished journal of its own, and this import ran after that job's last run. */
  isSince: boolean;
}

/**
 * Finds the latest import of the same file into the same tenant by this account on this machine that the planned job
 * does not know of: its directory differs, was deleted since, or was last used before. Throws a `ConfigurationError`.
 */
function findEarlierImport(context: CommandContext, { source, target, shard, directory }: PlannedImport) {
  const isSince = existsSync(pathIn(directory, 'journal.db'));
  const own = resolve(directory);
  let found: EarlierImport | undefined;
  for (const { begun, ended } of readLoggedRuns(context)) {
    if (begun.source !== source || !isDeepStrictEqual(begun.target, target)) continue;
    if (isSince && begun.directory === own) return ended?.outcome === 'finished' ? undefined : found;
    if (found || areDisjoint(begun.shard, shard) || !begun.is_sending || hasSentNothing(ended)) continue;
    const { kind, time, directory: before } = begun;
    const hasJournal = existsSync(pathIn(before, 'journal.db'));
    // A directory without its journal may have been renamed to this job's directory, which has one.
    if (hasJournal || !isSince) found = { kind, time, directory: before, hasJournal, isSince };
    if (found && !isSince) return found;
  }
  return found;
}

function areDisjoint(one: Shard | undefined, other: Shard | undefined): boolean {
  return one !== undefined && other !== undefined && one.of === other.of && one.index !== other.index;
}

/** True if no row of the run became a user or has an unknown outcome. False if the log has no end of the run. */
function hasSentNothing(ended: LogEntry['ended']): boolean {
  const rows = ended?.rows;
  return rows !== undefined && !rows.created && !rows.existing && !rows.unknown && !ended?.not_disabled;
}
