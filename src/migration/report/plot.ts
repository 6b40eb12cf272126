import { type Html, html } from './html.ts';
import { shownFigure } from './show-values.ts';

/** A value over a stretch of time; `null`: there is none to draw. */
export interface Step {
  from: number;
  to: number;
  value: number | null;
}

/** A line of a plot; its name tells it from the others beside its colour, and so does its dash. */
export interface Line {
  name: string;
  style: 'main' | 'limit' | 'throttled' | 'broken';
  steps: readonly Step[];
}

/** A plot over time. Values share one unit; `end` is in units of the time axis. */
export interface Plot {
  id: string;
  title: string;
  description: string;
  /** What the vertical axis measures, with its unit. */
  measure: string;
  /** What the horizontal axis measures, with its unit. */
  time: string;
  end: number;
  /** Top of the scale, at least. */
  top: number;
  lines: readonly Line[];
}

const height = 180;
/** Of the lines' own system of coordinates, which is stretched to the page's width. */
const width = 1000;

/** Draws a plot of stepped lines that fits any width: only the lines are stretched, letters and strokes stay as they are. */
export function drawPlot({ id, title, description, measure, time, end, top, lines }: Plot): Html {
  const ticks = ticksOf(top, 5);
  const scale = ticks.at(-1) ?? 1;
  const place = (value: number) => height - (value / scale) * height;
  return html`<figure>
<figcaption><h3>${title}</h3><p class="note">${description}</p></figcaption>
<ul class="legend">${lines.map(({ name, style }) => html`<li><svg aria-hidden="true" width="32" height="8"><path class="line ${style}" d="M0 4H32"/></svg> ${name}</li>`)}</ul>
<p class="axis">${measure}</p>
<svg class="plot" role="img" aria-labelledby="${id}-title ${id}-desc" width="100%" height="${height + 44}">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${description} Vertical axis: ${measure}. Horizontal axis: ${time}.</desc>
${ticks.map((tick) => html`<line class="grid" x1="0" x2="100%" y1="${rounded(place(tick))}" y2="${rounded(place(tick))}"/><text x="-8" y="${rounded(place(tick) + 4)}" text-anchor="end">${shownFigure(tick)}</text>\n`)}${ticksOf(
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
    html`<path class="line ${style}" vector-effect="non-scaling-stroke" d="${pathOf(steps, scale, (value) => (value / end) * width, place)}"/>\n`,
)}</svg>
</svg>
</figure>
`;
}

function pathOf(
  steps: readonly Step[],
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

/** Round numbers from 0 to `end` or just beyond it. */
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
