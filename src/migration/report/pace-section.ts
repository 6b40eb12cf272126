import type { PaceSample } from '../pace/record-series.ts';
import { type Html, html } from './html.ts';
import { drawPlot, type Line, type Step } from './plot.ts';
import type { ReportData } from './report-data.ts';
import { counted, shownCount, shownDuration, shownFigure } from './show-values.ts';

/** How fast this run was, and its course where it was recorded. */
export function paceSection({ summary, samples = [], shares }: ReportData): Html {
  const { seconds, rows_per_second: rate } = summary;
  const drawn = samples.filter(
    ({ at, seconds: length, answered }) => Number.isFinite(at) && length > 0 && Number.isFinite(answered),
  );
  return html`<section aria-labelledby="pace">
<h2 id="pace">Pace</h2>
${
  shares
    ? html`<p>The shares were imported on their own; how fast each was is in its own report.</p>\n`
    : html`<p>This run took ${shownDuration(seconds)} and settled ${counted(rate, 'row')} a second on average${summary.resumed ? '; earlier runs of the job are not in this figure' : ''}.</p>\n`
}${drawn.length > 1 ? plots(drawn) : html`<p class="note">${summary.dry_run ? 'A dry run sends nothing, so there is no course to draw.' : 'The course of the run was not recorded, or was too short to draw.'}</p>\n`}</section>
`;
}

/** Units of the time axis, the longest first, and from how many seconds on they are used. */
const timeUnits = [
  { from: 3 * 3600, length: 3600, name: 'hours' },
  { from: 5 * 60, length: 60, name: 'minutes' },
  { from: 0, length: 1, name: 'seconds' },
];

function plots(samples: readonly PaceSample[]): Html {
  const last = samples.at(-1);
  const end = last ? last.at + last.seconds : 1;
  const unit = timeUnits.find(({ from }) => end >= from) ?? { length: 1, name: 'seconds' };
  const time = `time since the run began, in ${unit.name}`;
  const stepsOf = (valueAt: (sample: PaceSample) => number | null): Step[] =>
    samples.map((sample) => ({
      from: sample.at / unit.length,
      to: (sample.at + sample.seconds) / unit.length,
      value: valueAt(sample),
    }));
  const sumOf = (what: 'answered' | 'throttled' | 'failed') =>
    samples.reduce((sum, sample) => sum + sample[what], 0);
  const [answered, throttled, failed] = [sumOf('answered'), sumOf('throttled'), sumOf('failed')];
  const most = Math.max(
    ...samples.map((sample) => Math.max(sample.answered, sample.throttled, sample.failed) / sample.seconds),
  );
  // A limit far above what was reached would press the rest flat.
  const limits = samples.flatMap(({ rate }) => (rate !== null && rate <= most * 2 ? [rate] : []));
  const calls: Line[] = [
    { name: 'answered', style: 'main', steps: stepsOf((sample) => sample.answered / sample.seconds) },
  ];
  if (limits.length > 0) calls.push({ name: 'allowed', style: 'limit', steps: stepsOf(({ rate }) => rate) });
  if (throttled > 0) {
    const steps = stepsOf((sample) => sample.throttled / sample.seconds);
    calls.push({ name: 'turned away as too many', style: 'throttled', steps });
  }
  if (failed > 0) {
    const steps = stepsOf((sample) => sample.failed / sample.seconds);
    calls.push({ name: 'failed on the way', style: 'broken', steps });
  }
  const widest = Math.max(...samples.map(({ concurrency }) => concurrency));
  return html`${drawPlot({
    id: 'calls',
    title: 'Throughput',
    description: `${counted(answered, 'call')} answered, at most ${shownFigure(Math.max(...samples.map((sample) => sample.answered / sample.seconds)))} a second; ${shownCount(throttled)} turned away as too many, ${shownCount(failed)} failed on the way. A row may take more than one call.`,
    measure: 'calls a second',
    time,
    end: end / unit.length,
    top: Math.max(most, ...limits),
    lines: calls,
  })}${drawPlot({
    id: 'width',
    title: 'Calls at the same time',
    description: `How many calls were let under way at the same time; at most ${shownCount(widest)}.`,
    measure: 'calls under way, at most',
    time,
    end: end / unit.length,
    top: widest,
    lines: [{ name: 'allowed', style: 'main', steps: stepsOf(({ concurrency }) => concurrency) }],
  })}`;
}
