import { uniqueAttributes } from '../../../contract/normal-forms.ts';
import { JobDirectoryError } from '../../../migration/model/errors.ts';
import type { Shard } from '../../../migration/model/shard.ts';
import type { Plan } from '../../../migration/plan/plan-schemas.ts';
import type { Columns } from '../../../migration/rows/columns.ts';
import type { PreparedSource } from '../../../migration/rows/prepared-source.ts';
import { formatCount } from '../../../text/format-count.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import { readSettings } from '../../config/settings.ts';
import type { CommandContext } from '../../context/context.ts';
import { findEarlierImport } from '../../log/find-earlier-import.ts';
import { isLogOff } from '../../log/log-files.ts';

/**
 * Warns if the file was imported into the tenant before, by a job that this one does not resume. Throws a `JobDirectoryError` if
 * every row would become a second user, because no column has a unique attribute; only warns with `restart`. Warns as well that
 * nobody could notice this the next time, if the log is off.
 */
export function warnOfEarlierImport(
  context: CommandContext,
  { digest }: Pick<PreparedSource, 'digest'>,
  { known }: Pick<Columns, 'known'>,
  {
    restart,
    ...job
  }: {
    directory: string;
    target: Readonly<Record<string, string>>;
    shard?: Shard | undefined;
    restart?: boolean;
  },
  say: (text: string) => void,
): void {
  const unique: readonly string[] = uniqueAttributes;
  const hasUnique = known.some(({ target }) => unique.includes(target));
  if (isLogOff(context) && !hasUnique) {
    say(
      'Warning: no column has a user name, e-mail address or mobile number, and TENANT_USERS_NO_LOG is set: a later import of this file with another job directory would not be noticed, and would create its users a second time.',
    );
  }
  const earlier = findEarlierImport(context, { source: digest, shard: undefined, ...job });
  if (!earlier) return;
  const { kind, time, directory, hasJournal, isSince } = earlier;
  const goOn = kind === 'plan' ? 'apply that plan again' : `add --job ${quotePath(directory)}`;
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
