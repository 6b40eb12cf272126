import { formatCount } from '../../text/format-count.ts';
import type { RateSample } from '../rate-limit/history.ts';
import { type Html, html, section } from './html.ts';
import type { ReportData } from './report-data.ts';
import { shownDuration, shownFigure } from './texts/format.ts';

/** Renders how fast this run was, and its history if it was recorded. */
export function throughputSection({ summary, samples = [], shards }: ReportData): Html {
  const { seconds, waited_seconds: waited, rows_per_second: rate } = summary;
  return section('throughput', 'Throughput', [
    shards
      ? html`<p>The shards were imported one by one; how fast each was is in its own report.</p>\n`
      : html`<p>This run took ${shownDuration(seconds)}${waited === undefined ? undefined : html`, of which it waited ${shownDuration(waited)} for its window,`}${rate > 0 ? html` at ${formatCount(rate, 'row')} a second on average` : undefined}${summary.resumed ? '; earlier runs of the job are not in this figure' : ''}.</p>\n`,
    samples.length > 1
      ? plots(samples)
      : html`<p class="note">${summary.dry_run ? 'A dry run sends nothing, so there is no throughput to draw.' : 'The throughput was not recorded, or the run was too short to draw it.'}</p>\n`,
  ]);
}

/** Units of the time axis, the longest first. `from`: seconds from which on the unit is used. */
const timeUnits = [
  { from: 3 * 3600, length: 3600, name: 'hours' },
  { from: 5 * 60, length: 60, name: 'minutes' },
  { from: 0, length: 1, name: 'seconds' },
];

type What = 'answered' | 'throttled' | 'failed';

function plots(samples: readonly RateSample[]): Html {
  const last = samples.at(-1);
  const end = last ? last.at + last.seconds : 1;
  const unit = timeUnits.find(({ from }) => end >= from) ?? { length: 1, name: 'seconds' };
  const time = `time in which the run had calls to make, in ${unit.name}`;
  const stepsOf = (valueAt: (sample: RateSample) => number | null): Stretch[] =>
    samples.map((sample) => ({
      from: sample.at / unit.length,
      to: (sample.at + sample.seconds) / unit.length,
      value: valueAt(sample),
    }));
  const sumOf = (what: What) => samples.reduce((sum, sample) => sum + sample[what], 0);
  const [answered, throttled, failed] = [sumOf('answered'), sumOf('throttled'), sumOf('failed')];
  const most = Math.max(
    ...samples.map((sample) => Math.max(sample.answered, sample.throttled, sample.failed) / sample.seconds),
  );
  // A limit far above the actual rate would flatten the other lines.
  const limits = samples.flatMap(({ rate }) => (rate !== null && rate <= most * 2 ? [rate] : []));
  const perSecond = (what: What) => stepsOf((sample) => sample[what] / sample.seconds);
  const calls: Curve[] = [{ name: 'answered', style: 'main', steps: perSecond('answered') }];
  if (limits.length > 0) calls.push({ name: 'allowed', style: 'limit', steps: stepsOf(({ rate }) => rate) });
  if (throttled > 0)
    calls.push({ name: 'throttled (429)', style: 'throttled', steps: perSecond('throttled') });
  if (failed > 0) calls.push({ name: 'failed', style: 'failed', steps: perSecond('failed') });
  const widest = Math.max(...samples.map(({ concurrency }) => concurrency));
  return html`${drawPlot({
    id: 'calls',
    title: 'Calls a second',
    description: `${formatCount(answered, 'call')} answered, at most ${shownFigure(Math.max(...samples.map((sample) => sample.answered / sample.seconds)))} a second; ${formatCount(throttled)} throttled (429), ${formatCount(failed)} failed. A row may take more than one call.`,
    measure: 'calls a second',
    time,
    end: end / unit.length,
    top: Math.max(most, ...limits),
    lines: calls,
  })}${drawPlot({
    id: 'width',
    title: 'Calls in flight',
    description: `How many calls were allowed in flight at the same time; at most ${formatCount(widest)}.`,
    measure: 'calls in flight, at most',
    time,
    end: end / unit.length,
    top: widest,
    lines: [{ name: 'allowed', style: 'main', steps: stepsOf(({ concurrency }) => concurrency) }],
  })}`;
}

/** A value over a stretch of time; `null` if there is none to draw. */
interface Stretch {
  from: number;
  to: number;
  value: number | null;
}

/** A curve of a plot, which differs from the others in name, color and dash. */
interface Curve {
  name: string;
  style: 'main' | 'limit' | 'throttled' | 'failed';
  steps: readonly Stretch[];
}

/** A plot over time. Values share one unit; `end` is in units of the time axis. */
interface Plot {
  id: string;
  title: string;
  description: string;
  /** What the vertical axis measures, with its unit. */
  measure: string;
  /** What the horizontal axis measures, with its unit. */
  time: string;
  end: number;
  /** Minimum top of the scale. */
  top: number;
  lines: readonly Curve[];
}

const height = 180;
/** Width in the coordinate system of the lines, which is stretched to the width of the page. */
const width = 1000;

/** Draws a plot of stepped lines that fits any width: only the lines are stretched, text and strokes keep their size. */
function drawPlot({ id, title, description, measure, time, end, top, lines }: Plot): Html {
  const ticks = ticksOf(top, 5);
  const scale = ticks.at(-1) ?? 1;
  const heightOf = (value: number) => height - (value / scale) * height;
  return html`<figure>
<figcaption><h3>${title}</h3><p class="note">${description}</p></figcaption>
<ul class="legend">${lines.map(({ name, style }) => html`<li><svg aria-hidden="true" width="32" height="8"><path class="line ${style}" d="M0 4H32"/></svg> ${name}</li>`)}</ul>
<p class="axis">${measure}</p>
<svg class="plot" role="img" aria-labelledby="${id}-title ${id}-desc" width="100%" height="${height + 44}">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${description} Vertical axis: ${measure}. Horizontal axis: ${time}.</desc>
${ticks.map((tick) => html`<line class="grid" x1="0" x2="100%" y1="${rounded(heightOf(tick))}" y2="${rounded(heightOf(tick))}"/><text x="-8" y="${rounded(heightOf(tick) + 4)}" text-anchor="end">${shownFigure(tick)}</text>\n`)}${ticksOf(
  end,
  7,
)
  .filter((tick) => tick <= end)
  .map(
    (tick) =>
      html`<line class="grid" x1="${rounded((tick / end) * 100)}%" x2="${rounded((tick / end) * 100)}%" y1="${height}" y2="${height + 5}"/><text x="${rounded((tick / end) * 100)}%" y="${height + 20}" text-anchor="middle">${shownFigure(tick)}</text>\n`,
  )}<text x="50%" y="${height + 40}" text-anchor="middle">${time}</text>
<svg width="100%" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
${lines.map(
  ({ style, steps }) =>
    html`<path class="line ${style}" vector-effect="non-scaling-stroke" d="${pathOf(steps, scale, (value) => (value / end) * width, heightOf)}"/>\n`,
)}</svg>
</svg>
</figure>
`;
}

function pathOf(
  steps: readonly Stretch[],
  scale: number,
  across: (time: number) => number,
  down: (value: number) => number,
): string {
  let isDrawn = false;
  return steps
    .map(({ from, to, value }) => {
      const goesOn = isDrawn;
      isDrawn = value !== null && value <= scale;
      if (value === null || !isDrawn) return '';
      const y = rounded(down(value));
      return goesOn
        ? `V${y}H${rounded(across(to))}`
        : `M${rounded(across(from))} ${y}H${rounded(across(to))}`;
    })
    .join('');
}

/** Returns round numbers from 0 to `end`, or just beyond it. */
export function ticksOf(end: number, most: number): number[] {
  if (!(end > 0) || !Number.isFinite(end)) return [0, 1];
  const raw = end / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5].find((factor) => factor * power >= raw) ?? 10) * power;
  const count = Math.ceil(end / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
