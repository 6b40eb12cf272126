import { pathIn } from '../../../migration/directory/job-files.ts';
import {
  adviseRetarget,
  type CommandLine,
  isRealJob,
  ofNextRun,
  rerunCommand,
  tenantDrift,
} from '../../../migration/model/job.ts';
import type { JobStatus } from '../../../migration/model/job-status.ts';
import { rowResults } from '../../../migration/model/outcome.ts';
import { undoneUsers } from '../../../migration/model/shard.ts';
import type { KnownJob } from '../../../migration/records/job-status.ts';
import { formatCount } from '../../../text/format-count.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import { readSettings } from '../../config/settings.ts';
import { type AddCommand, type CommandContext, zoneOf } from '../../context/context.ts';
import { ConfigurationError } from '../../errors/errors.ts';
import { requireDone, sayNext } from '../../output/import-summary.ts';
import { describeLeft, describeMoment } from '../../output/progress.ts';
import { countColumns, isFlat, say, showRecord, wantsFields, warn } from '../../output/show.ts';

const help = `
Only reads, and does not slow the run. States: running; finished; stopped, before the last row;
crashed, when the run was cut off; purged, when job purge deleted the personal data. Exit code 0:
running, or every row is done; 7: rows are left, or were not imported.

Examples:
  $ tenant-users import-hashes status legacy.csv.import
  $ watch -n 5 tenant-users import-hashes status legacy.csv.import`;

export const addImportHashesStatus: AddCommand = (parent, context) => {
  parent
    .command('status')
    .description('Show the state of a job, also while it runs')
    .argument('<directory>', 'job directory, or plan directory of an applied plan')
    .addHelpText('after', help)
    .action(async (directory: string) => {
      const { readJobStatus } = await import('../../../migration/records/job-status.ts');
      const known = await readJobStatus(directory, context.now);
      const { status, summary } = known;
      const next = await adviceOf(known);
      const listed = next.map(({ text, commands: [command] }) => (command ? { text, command } : { text }));
      // Text has every column in its place, of whatever kind the job is.
      const counts = isFlat(context) ? rowResults.map((result) => [result, status[result] ?? 0]) : [];
      const { without_row: withoutRow = 0 } = summary ?? {};
      const more = withoutRow > 0 ? { without_row: withoutRow } : {};
      const fields = { ...status, ...more, ...Object.fromEntries(counts) };
      const shown = wantsFields(context) ? { ...fields, next: listed } : fields;
      await showRecord(context, shown, [
        'state',
        'rows',
        ...countColumns(context, [status], rowResults, rowResults),
      ]);
      sayRun(context, status);
      if (withoutRow > 0) {
        const users = `${formatCount(withoutRow, 'user')} of this job ${withoutRow === 1 ? 'has' : 'have'}`;
        warn(context, `${users} no valid row in its corrected file. They stay in the tenant`);
      }
      const { disabled_after_create: disabled = 0 } = status;
      if (disabled > 0)
        say(
          context,
          `${formatCount(disabled, 'user')} ${disabled === 1 ? 'was' : 'were'} disabled after the create, as the file says`,
        );
      sayVerification(context, status);
      warnOfOtherTarget(context, known);
      sayNext(context, next);
      if (summary) requireDone(summary);
    });
};

/** What to do next, with the command line that the run had. */
async function adviceOf({ status, summary, command }: KnownJob) {
  if (!summary || status.state === 'purged' || status.undone_at !== undefined) return [];
  if (status.kind === 'merge') {
    const directory = quotePath(status.job);
    const text = `Run the same merge again: tenant-users import-hashes merge SHARD… --job ${directory}. The directories of the shards are as they were. Until then this job cannot be resumed.`;
    return [{ text, commands: [] }];
  }
  const { adviseNext } = await import('../../../migration/report/texts/advice.ts');
  const isResumed = status.kind === 'import' || status.kind === 'plan';
  if (status.state !== 'crashed' || !isResumed) return adviseNext(summary, command);
  const text = ofNextRun(afterCrash, command);
  return [{ text, commands: command ? [rerunCommand(command, [], summary)] : [] }];
}

/** Whatever else is to be done needs the lists of the run, and a correction is refused before it is resumed. */
const afterCrash =
  'Rerun the same command, with the file as it was. It looks up rows that may have been sent, goes on with the rest, and writes users.csv and failures.csv, which are missing or of an earlier run. Nothing is done twice.';

function sayRun(context: CommandContext, status: JobStatus): void {
  const {
    job,
    file,
    process: owner,
    started_at: since,
    seconds,
    runs = 1,
    purged_at: purged,
    undone_at: undone,
    undone_shards: shards,
  } = status;
  const target = Object.values(status.target).join(', client id ');
  say(context, `${file}${target ? ` into ${target}` : ''} (${status.kind})`);
  if (owner) {
    const { rows_per_second: rate = 0, seconds_left: left, waiting_until: until } = status;
    const time = typeof left === 'number' ? `, ${describeLeft(context, left, 'about ')}` : '';
    say(context, `Running since ${since}: process ${owner.pid} on ${owner.host}`);
    const last = owner.last_outcome_at;
    if (until === undefined && !last && status.pending === status.rows)
      say(context, 'No outcome yet; users of earlier runs, if any, are counted once the file has been read');
    else if (until === undefined) say(context, `${formatCount(rate)} rows per second${time}`);
    else
      say(
        context,
        `Waiting for its window, which opens ${describeMoment(Date.parse(until), zoneOf(context))}`,
      );
    if (last && (seconds ?? 0) > 0) say(context, `Last outcome: ${last}`);
    return;
  }
  const took = seconds === null ? '' : `, took ${seconds.toFixed(1)} s`;
  say(context, `${formatCount(runs, 'run')}; the last began ${since}${took}`);
  if (status.kind === 'merge') warn(context, 'a merge of shards into this directory was cut off');
  else if (status.state === 'crashed')
    warn(context, 'the last run was cut off; rows that it may have sent are looked up by the next');
  if (undone)
    warn(context, `${undoneUsers(shards)} were disabled by an undo at ${undone}; do not go on with the job`);
  if (purged)
    say(context, `Personal data deleted: ${purged}; evidence: ${quotePath(pathIn(job, 'evidence.jsonl'))}`);
}

/**
 * Warns if the settings with which the job was run have another address or application by now: then the commands that are named next
 * would be refused. Where both are others, the settings are probably those of another tenant, and say nothing of this job.
 */
function warnOfOtherTarget(context: CommandContext, { status, command }: KnownJob): void {
  const { target: before, job } = status;
  const { baseUrl, clientId } = settingsOf(context, command) ?? {};
  if (!isRealJob(status.kind) || !baseUrl || !clientId) return;
  const isOf = [before.base_url === baseUrl.value, before.client_id === clientId.value];
  if (isOf[0] === isOf[1]) return;
  const now = { base_url: baseUrl.value, client_id: clientId.value };
  warn(
    context,
    `${tenantDrift(before, now).join('; ')}. ${adviseRetarget(job, before, now, command?.connection)}`,
  );
}

/** The settings with which a job was run, by the profile that was given; `undefined` if it is gone, or other options were given. */
function settingsOf(context: CommandContext, { connection = [] }: Partial<CommandLine> = {}) {
  const [option, profile] = connection;
  if (option !== undefined && option !== '--profile') return undefined;
  const options = profile === undefined ? context.options : { ...context.options, profile };
  try {
    return readSettings(Object.create(context, { options: { value: options } }));
  } catch (failure) {
    if (failure instanceof ConfigurationError) return undefined;
    throw failure;
  }
}

function sayVerification(context: CommandContext, { verified, not_verified: others = [], ramp }: JobStatus) {
  const tried = verified.map(
    ({ algorithm, tried, matched }) => `${algorithm} ${formatCount(matched)} of ${formatCount(tried)}`,
  );
  if (tried.length > 0) say(context, `Known passwords that matched: ${tried.join(', ')}`);
  if (ramp) say(context, `Logins of ${formatCount(ramp.canaries)} canaries: ${ramp.logins}`);
  if (others.length > 0) say(context, `Not verified by a known password: ${others.join(', ')}`);
}
