import { Option } from '@commander-js/extra-typings';
import type { Client } from '../../../client/client.ts';
import type { Forecast } from '../../../migration/model/forecast.ts';
import type { CommandLine } from '../../../migration/model/job.ts';
import type { Summary } from '../../../migration/model/summary.ts';
import { temporaryDatabase } from '../../../text/locations/database-location.ts';
import { isPaceOfTenant, keepPace, startOf } from '../../config/pace-file.ts';
import { readSettings } from '../../config/settings.ts';
import { connect, openClient, runFacts, sayTarget } from '../../connection/connect.ts';
import { embed, openBeforeDatabase } from '../../connection/embedded-service.ts';
import { rampOf, tryRehearsed } from '../../connection/try-canaries.ts';
import { commandLineOf, wordsOf } from '../../context/command-line.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { describeSource, readFileOptions, recipeWords } from '../../input/file-options.ts';
import { maxConcurrency } from '../../input/option-parsers.ts';
import { readCanaryList } from '../../input/run-options.ts';
import { readDefinitionFile } from '../../input/tenant-definition.ts';
import { recordRun } from '../../log/write-log.ts';
import { printImportSummary, requireDone } from '../../output/import-summary.ts';
import { showProgress } from '../../output/progress.ts';
import { say } from '../../output/show.ts';
import { forecastImport } from '../prepare/import-forecast.ts';
import { warnOfEarlierImport } from './earlier-import.ts';
import { addImportOptions, type ImportChoices, refuseContradictions } from './import-options.ts';
import { type ImportKind, watchInterruption } from './interruption.ts';
import { chooseJobDirectory, holdsImport } from './job-directory.ts';
import { addImportHashesMerge } from './merge.ts';
import { createPreview } from './preview.ts';
import { addImportHashesStatus } from './status.ts';

export const addImportHashes: AddCommand = (parent, context) => {
  const command = addImportOptions(
    parent
      .command('import-hashes')
      .description('Import users with password hashes from a CSV, JSON or LDIF file, also .gz')
      // There are many options: with a blank line between the groups, the help would not fit two screens.
      .configureHelp({ subcommandTerm: (one) => one.name(), formatItemList: closeList })
      .addHelpOption(new Option('-h, --help', 'display help for command').helpGroup('Job:'))
      .argument('<file>'),
    context,
  );
  command.action((file, options) => importFile(context, file, options));
  addImportHashesMerge(command, context);
  addImportHashesStatus(command, context);
};

/** Imports a file: asks, shows progress and prints the result. Throws if the import stopped, or rows are left over. */
async function importFile(
  context: CommandContext,
  file: string,
  { job, only, ramp, window, ...given }: ImportChoices,
): Promise<void> {
  refuseContradictions(context, given);
  const options = await readFileOptions(context, given);
  const { importUsers } = await import('../../../migration/import-users.ts');
  const concurrency = concurrencyFor(context, options);
  const connections = concurrency === 'auto' ? maxConcurrency : concurrency;
  const canaries = await readCanaryList(context, options.canary, ramp);
  const isOfTenant = !options.rehearse && (!options.dryRun || options.live === true);
  if (isOfTenant) sayTarget(context);
  const facts = runFacts(context);
  const kind: ImportKind = options.dryRun ? 'dry-run' : options.rehearse ? 'rehearsal' : 'import';
  // The result of a trial warns of open questions.
  const onOpen = kind === 'import' ? undefined : () => {};
  const opened = isOfTenant ? await openBeforeDatabase(context, file, { ...options, onOpen }) : undefined;
  const { jobDirectory, afterTrial } = await chooseJobDirectory(context, file, {
    given: job,
    kind,
    shard: options.shard,
    target: facts.target,
    isRestart: options.restart === true,
  });
  const isLocal = readSettings(context).local !== undefined;
  const isKnown = isLocal && !options.restart && (await holdsImport(jobDirectory));
  const client = await clientFor(context, options, { connections, isKnown });
  const isOwn = wordsOf(context, ['--recipe']).length > 0;
  const recipe = isOwn ? {} : { recipe: recipeWords(context, file, options.map) };
  const command = { ...commandLineOf(context), afterTrial, ...recipe };
  const progress = await showProgress(context);
  const interruption = watchInterruption(context, progress, kind, options.restart);
  const isHarmless = options.dryRun || options.rehearse || isLocal;
  const { json, quiet, yes } = context.options;
  // Counting the whole file first takes a tenth of the import: done only if somebody sees the counts or can still refuse.
  const isPreviewed = !isHarmless && !((json || quiet) && yes);
  const forecastOf = (requests: number) =>
    forecastImport(context, requests, { ...options, target: facts.target, window });
  const onPreview = createPreview(context, progress, only === 'unanswered' ? undefined : forecastOf);
  const run = { command: 'import-hashes', directory: jobDirectory, isSending: kind === 'import' };
  const record = recordRun(context, run, progress.say);
  context.handlesSignals = true;
  const place = options.rehearse ? 'rehearsal' : 'import';
  const result = await importUsers(client?.withoutRetries(), {
    file,
    opened,
    jobDirectory,
    ...facts,
    ...(isOfTenant ? { start: startOf(context, facts.target) } : { target: {} }),
    ...options,
    concurrency,
    timeout: context.options.timeout,
    canaries,
    ramp: ramp && client && rampOf(context, client, place, ramp, canaries, progress.say),
    reader: options.live ? client?.withoutRetries() : undefined,
    onStep: progress.note,
    rehearsal: options.rehearse ?? false,
    mode: options.restart ? 'restart' : only && `only ${only}`,
    onOpen,
    onSource(source, found) {
      progress.say(describeSource(source, found));
      const { shard, restart } = options;
      const planned = { directory: jobDirectory, target: facts.target, shard, restart: restart === true };
      if (!isHarmless) warnOfEarlierImport(context, source, found, planned, progress.say);
    },
    command,
    onJob: record.begun,
    onPreview: isPreviewed ? onPreview : undefined,
    onSending: interruption.sending,
    onProgress: progress.update,
    // The window matters only if rows are sent to the tenant.
    ...(window && run.isSending ? { window, onWindow: (until) => progress.waiting(window, until) } : {}),
  })
    .finally(progress.end)
    .catch(async (failure: unknown) => {
      interruption.ended(failure);
      throw await interruption.advised(failure);
    });
  const { summary, changed, stoppedBy } = result;
  record.ended({ ...summary, changed });
  if (run.isSending && isPaceOfTenant(options)) await keepPace(context, facts.target, result, progress.say);
  const isComplete = options.rehearse && !stoppedBy && !context.signal.aborted;
  const logins = isComplete && client && canaries ? await tryRehearsed(context, client, canaries) : undefined;
  const forecast = summary.dry_run ? forecastOf(summary.pending + summary.to_disable) : undefined;
  await printResult(context, summary, {
    command,
    isPreviewed,
    forecast,
    isRefused: logins?.stoppedBy !== undefined,
  });
  if (summary.dry_run) interruption.ended(stoppedBy);
  context.signal.throwIfAborted();
  if (stoppedBy) throw await interruption.advised(stoppedBy);
  if (logins?.stoppedBy) throw logins.stoppedBy;
  if (logins) say(context, logins.text);
  requireDone(summary);
}

type Trial = Pick<ImportChoices, 'rehearse' | 'dryRun'>;

/** Formats a group of the help, without a blank line after it. */
function closeList(heading: string, items: string[]): string[] {
  return items.length === 0 ? [] : [heading, ...items];
}

/** Prints the result. Notices of the preview are repeated only if they are warnings and no rows are left. */
async function printResult(
  context: CommandContext,
  summary: Summary,
  {
    command,
    isPreviewed,
    forecast,
    isRefused,
  }: { command: CommandLine; isPreviewed: boolean; forecast: Forecast | undefined; isRefused: boolean },
): Promise<void> {
  const { noticesOf } = await import('../../../migration/report/texts/notices.ts');
  const { adviseNext } = await import('../../../migration/report/texts/advice.ts');
  const isLast = summary.pending === 0;
  const notices = noticesOf(summary).filter(({ isWarning }) => !isPreviewed || (isWarning && isLast));
  // The import is not advised if canaries cannot log in.
  const steps = adviseNext(summary, command).filter(({ isImport }) => !(isRefused && isImport));
  await printImportSummary(context, summary, steps, notices, forecast);
}

/** Requests in flight to the embedded service, which accepts any number: this one is known to work best. */
const embeddedConcurrency = 256;

function concurrencyFor(
  context: CommandContext,
  { concurrency, rehearse, dryRun }: Trial & Pick<ImportChoices, 'concurrency'>,
): number | 'auto' {
  if (concurrency !== 'auto' || dryRun) return concurrency;
  return rehearse || readSettings(context).local ? embeddedConcurrency : concurrency;
}

/** The client of an import. A rehearsal has its own tenant; a dry run needs no client or credentials, unless it is live. */
async function clientFor(
  context: CommandContext,
  { rehearse, dryRun, live, tenant }: Trial & Pick<ImportChoices, 'live' | 'tenant'>,
  { connections, isKnown }: { connections: number; isKnown: boolean },
): Promise<Client | undefined> {
  if (dryRun && !live) return undefined;
  if (!rehearse) return connect(context, { connections, isKnown });
  const definition = tenant === undefined ? undefined : await readDefinitionFile(context, tenant);
  const target = await embed(context, temporaryDatabase, definition && [definition]);
  const whose = tenant ?? 'built-in definition; use --tenant for yours';
  say(context, `Rehearsal in a temporary tenant (${whose}); nothing is sent to any other service`);
  return openClient(context, { ...target, connections });
}
