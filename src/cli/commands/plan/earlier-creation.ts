import { JobDirectoryError } from '../../../migration/model/errors.ts';
import type { Plan } from '../../../migration/plan/plan-schemas.ts';
import { formatCount } from '../../../text/format-count.ts';
import { readSettings } from '../../config/settings.ts';
import type { CommandContext } from '../../context/context.ts';
import { findEarlierImport } from '../../log/find-earlier-import.ts';

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
