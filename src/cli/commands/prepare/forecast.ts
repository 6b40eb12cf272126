import type { KeyQuery } from '../../../migration/actions/keys.ts';
import { usualDirectory } from '../../../migration/directory/job-files.ts';
import type { PaceEvidence } from '../../../migration/forecast/forecast-time.ts';
import type { FileForecast } from '../../../migration/model/forecast.ts';
import { formatCount } from '../../../text/format-count.ts';
import { knownPace } from '../../config/pace-file.ts';
import { connect, runFacts, sayTarget } from '../../connection/connect.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { addFileOptions, describeSource, readFileOptions } from '../../input/file-options.ts';
import { parseShard } from '../../input/option-parsers.ts';
import { runOptions } from '../../input/run-options.ts';
import { describePace, tableOfForecast } from '../../output/forecast.ts';
import { say, show, showRecord, wantsFields, warn } from '../../output/show.ts';
import { whileWaiting } from '../../output/spinner.ts';
import { forecastImport, requestsLeft } from './import-forecast.ts';

/** Look-ups per second of a probe: enough to reach most limits, and too few for anybody to notice. */
const gentle = 100;

export const addForecast: AddCommand = (parent, context) => {
  addFileOptions(
    parent
      .command('forecast')
      .description('Estimate how long the import of a file takes, and when it ends; nothing is written')
      .argument('<file>', 'file, as import-hashes reads it'),
  )
    .optionsGroup('Checks:')
    .addOption(runOptions.allowPasswordless())
    .addOption(runOptions.foreignHashes())
    .addOption(runOptions.accept())
    .optionsGroup('Speed:')
    .addOption(runOptions.probeReads())
    .addOption(runOptions.rate())
    .addOption(runOptions.window(context))
    .option('--shard <I/N>', 'for shard I of N, which N machines import at the same time', parseShard)
    .optionsGroup('Job:')
    .option('--job <directory>', 'job directory of the import (default: <file name>.import)')
    .addHelpText(
      'after',
      `
Give it the options of the import; rows that the import has already sent are left out. It uses the
pace of the last import into this tenant, which is remembered for 30 days. With --probe-reads it looks
users of the file up instead, at most ${gentle} a second or --rate; a create takes longer than a look-up,
so the range is wider. If no pace is known, it shows the time at usual limits. Users who are there
already need more requests: import-hashes --dry-run --live counts them.

Examples:
  $ tenant-users forecast legacy.csv
  $ tenant-users forecast legacy.csv --window 22:00-05:00
  $ tenant-users forecast legacy.csv --probe-reads 30s --json | jq .seconds`,
    )
    .action(async (file, { probeReads, rate, window, shard, job, ...given }) => {
      const options = await readFileOptions(context, given);
      sayTarget(context);
      const { countFile, countSent } = await import('../../../migration/forecast-import.ts');
      const { signal, now } = context;
      const counted = await whileWaiting(
        context,
        'Reading the file',
        countFile({ file, ...options, shard, signal, onOpen: (text) => warn(context, text) }),
      );
      say(context, describeSource(counted.input.source, counted.input.columns));
      const { target } = runFacts(context);
      const directory = job ?? usualDirectory(file);
      const { sent, other } = await countSent(counted.input, { directory, target, shard, now });
      if (other !== undefined) say(context, `${directory} is not counted, as ${other}`);
      const evidence =
        probeReads === undefined
          ? undefined
          : await probe(context, counted.queries, { seconds: probeReads, rate: rate ?? gentle });
      const { rows, preview } = counted;
      const speed = { target, window, rate, shard };
      const forecast = forecastImport(context, requestsLeft(preview, sent), speed, evidence);
      const { rejected, skipped } = preview;
      const ready = preview.ready - sent;
      await print(context, { file, rows, ready, sent_before: sent, rejected, skipped, ...forecast });
      const known = knownPace(context, target);
      if (!forecast.pace && known)
        say(
          context,
          `The pace of ${known.measured_at.slice(0, 10)} is older than 30 days: it counts as unknown.`,
        );
    });
};

/** Measures the pace with look-ups; `undefined` if too few were answered. */
async function probe(
  context: CommandContext,
  queries: readonly KeyQuery[],
  { seconds, rate }: { seconds: number; rate: number },
): Promise<PaceEvidence | undefined> {
  if (queries.length === 0)
    throw new UsageError(
      'no row that would be sent can be looked up',
      'Leave --probe-reads out, or correct the file: tenant-users import-hashes --dry-run says what is wrong.',
    );
  const client = await connect(context, { connections: 64 });
  const { probeReads } = await import('../../../migration/forecast/probe-reads.ts');
  const { signal, clock } = context;
  const pace = await whileWaiting(
    context,
    `Looking users up for ${seconds} s, at most ${formatCount(rate)} a second`,
    probeReads(client.withoutRetries(), queries, { seconds, rate, signal, clock }),
  );
  if (pace) return { pace, source: 'look-ups', age: 0, ceiling: rate };
  say(context, 'Too few look-ups were answered to measure a pace: use a longer time for --probe-reads.');
  return undefined;
}

async function print(context: CommandContext, forecast: FileForecast): Promise<void> {
  if (wantsFields(context)) {
    return showRecord(context, forecast, ['rows', 'ready', 'requests', 'seconds']);
  }
  const table = tableOfForecast(forecast);
  await show(context, { rows: table, columns: Object.keys(table[0] ?? {}) });
  const { ready, sent_before: sent, rejected, skipped, requests, pace, reasons, window } = forecast;
  const left = [
    ...(sent > 0 ? [`${formatCount(sent)} ${sent === 1 ? 'was' : 'were'} sent before`] : []),
    ...(rejected > 0 ? [`${formatCount(rejected)} would be rejected`] : []),
    ...(skipped > 0 ? [`${formatCount(skipped)} left out by the recipe`] : []),
  ];
  say(
    context,
    `${formatCount(ready, 'row')} would be sent in ${formatCount(requests, 'request')}${left.map((one) => `; ${one}`).join('')}.`,
  );
  if (window) say(context, `Rows are sent from ${window.from} to ${window.to} (${window.zone}).`);
  if (!pace) {
    say(
      context,
      'No pace of this tenant is known, so these are usual limits. To measure it: --probe-reads 30s',
    );
    return;
  }
  say(context, `By ${describePace(pace)}.`);
  for (const reason of reasons) say(context, `The range: ${reason}.`);
}
