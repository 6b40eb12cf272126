import { systemClock } from '../../client/retry.ts';
import { formatWithOffset } from '../../contract/time.ts';
import type { ProgressStep } from '../../migration/model/progress-step.ts';
import type { Progress } from '../../migration/model/summary.ts';
import { createMeter } from '../../migration/rate-limit/history.ts';
import {
  describeWindow,
  type SendingWindow,
  secondsLeft,
} from '../../migration/rate-limit/sending-window.ts';
import type { RunLimits } from '../../migration/send/run-rows.ts';
import { formatRate } from '../../text/format-count.ts';
import { printable } from '../../text/printable.ts';
import { type CommandContext, zoneOf } from '../context/context.ts';
import { linesFor } from './show.ts';
import { describeStep, isWatched, lineEvery, startSpinner, tellProgress } from './spinner.ts';
import { widthOf } from './styles.ts';

export type ProgressDisplay = Awaited<ReturnType<typeof showProgress>>;

const redrawEvery = 100;

/** Milliseconds without an answer after which the progress says so. */
const worthSaying = 3000;

/**
 * Shows a bar that is redrawn on a terminal, a plain line every few seconds elsewhere, and nothing with `--quiet` or
 * `--json`. With `--progress jsonl`, writes lines of JSON in any case.
 */
export async function showProgress(context: CommandContext) {
  const { options, stderr, clock = systemClock } = context;
  const isSilent = options.quiet || options.json;
  const spinner = isWatched(context) ? await startSpinner(context, 'Checking the file') : undefined;
  const every = spinner ? redrawEvery : lineEvery;
  /** Begins with the first row: those of earlier runs say nothing about this one. */
  let meter: ReturnType<typeof createMeter> | undefined;
  let latest: { text(): string; facts(): object } | undefined;
  let next = clock.now() + every;
  /** True while the window is closed: no lines are written then, which would say all night that nothing happens. */
  let isResting = false;

  function draw(): void {
    next = clock.now() + every;
    if (!latest || (isSilent && !options.progress) || (isResting && !spinner)) return;
    if (spinner) spinner.text = latest.text();
    else if (options.progress) tellProgress(context, latest.facts());
    else stderr.write(`${latest.text()}\n`);
  }

  /** Writes text on a line of its own, which stays. */
  function say(text: string): void {
    if (isSilent) return;
    spinner?.clear();
    stderr.write(`${linesFor(context, printable(text))}\n`);
  }

  // Redraws although there is no progress, so that a run that waits for the service does not look dead.
  const timer = setInterval(() => clock.now() >= next && draw(), every / 2).unref();
  return {
    update(progress: Progress, limits: () => RunLimits): void {
      const { isCheck, ...counts } = progress;
      meter ??= createMeter(clock.now, progress.done);
      const rate = meter;
      latest = {
        text() {
          const { opensAt, pause, silence, window, inFlight, heldFor = 0 } = limits();
          const speed = rate(progress.done);
          const sending = speed > 0 ? (progress.total - progress.done) / speed : Infinity;
          const left = secondsLeft(sending, { now: context.now(), window });
          const parts = partsOf(progress, speed, describeLeft(context, left));
          if (opensAt !== undefined)
            parts.splice(1, Infinity, `waiting until ${describeMoment(opensAt, zoneOf(context))}`);
          else if (heldFor > 0 && inFlight === 0)
            parts.splice(
              1,
              Infinity,
              `waiting ${Math.ceil(heldFor / 1000)} s for requests of an earlier run`,
            );
          else if (silence >= worthSaying && pause < 1000)
            parts.splice(1, Infinity, `no answer for ${Math.floor(silence / 1000)} s, trying again`);
          // A check sends nothing, and so has no pace.
          else if (!isCheck) parts.push(...paceOf(limits()));
          return spinner ? barOf(progress, parts, widthOf(stderr)) : parts.join(', ');
        },
        facts: () => ({
          what: isCheck ? 'rows checked' : 'rows',
          ...counts,
          rows_per_second: Math.round(rate(progress.done)),
          ...(isCheck ? {} : { in_flight: limits().inFlight }),
        }),
      };
      // Drawn here as well: a run that never waits gives the timer no chance to fire.
      if (clock.now() >= next) draw();
    },
    /** Shows a step before the first row, until there is progress. */
    note(step: ProgressStep): void {
      latest = { text: () => describeStep(step), facts: () => step };
      if (clock.now() >= next) draw();
    },
    /** Says that the window has closed until a time in epoch milliseconds, or, without that time, that it has opened. */
    waiting(window: SendingWindow, until: number | undefined): void {
      isResting = until !== undefined;
      const opens = until === undefined ? {} : { until: formatWithOffset(until, window.zone) };
      if (options.progress)
        tellProgress(context, { what: isResting ? 'waiting for the window' : 'window open', ...opens });
      else say(describeWait(window, until));
    },
    /** Removes the bar while a person is asked. */
    async paused<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
      spinner?.stop();
      const answer = await ask();
      spinner?.start();
      return answer;
    },
    end(): void {
      clearInterval(timer);
      isResting = false;
      if (options.progress) draw();
      spinner?.stop();
    },
    say,
  };
}

/** Says that the window has closed until a time, or that it is open. */
function describeWait(window: SendingWindow, until: number | undefined): string {
  const shown = describeWindow(window);
  if (until === undefined) return `The window ${shown} is open: rows are sent.`;
  return `Outside the window ${shown}: no row is sent before ${describeMoment(until, window.zone)}. The run waits; it can be ended and resumed at any time.`;
}

function partsOf(
  { total, done, created, changed = 0, failed, invalid, isCheck }: Progress,
  rate: number,
  left: string,
): string[] {
  const pace = [`${Math.round(rate)} rows/s`, left];
  if (isCheck) return [`${done}/${total} rows checked`, `${invalid} rejected`, ...pace];
  return [
    `${done}/${total} rows`,
    ...(created > 0 || changed === 0 ? [`${created} created`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    `${failed} failed`,
    ...(invalid > 0 ? [`${invalid} rejected`] : []),
    ...pace,
  ];
}

const day = 86_400;

/** Says how long a run lasts, or when it ends if that is not today. `about`: the word before it. */
export function describeLeft(context: CommandContext, seconds: number | undefined, about = ''): string {
  if (seconds === undefined) return '? left';
  if (seconds < day) return `${about}${timeOf(seconds)} left`;
  return `ends ${about}${describeMoment(context.now() + seconds * 1000, zoneOf(context))}`;
}

/** Formats seconds for people: 3:07, 1:02:03. */
export function timeOf(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const tail = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

/** The current pace: calls in flight, the rate limit, and the wait that the service asked for. */
function paceOf({ inFlight, rate, pause }: RunLimits): string[] {
  const parts = [`${inFlight} in flight`];
  if (Number.isFinite(rate)) parts.push(`limit ${formatRate(rate)}/s`);
  if (pause >= 1000) parts.push(`waiting ${Math.ceil(pause / 1000)} s for the service`);
  return parts;
}

/** Width of the spinner's sign and the space after it. */
const signWidth = 2;

/** A bar and as many parts as fit into a line of the terminal. */
export function barOf(
  { total, done }: Pick<Progress, 'total' | 'done'>,
  parts: readonly string[],
  columns: number,
): string {
  const width = columns >= 120 ? 20 : 10;
  const full = total > 0 ? Math.floor((done / total) * width) : width;
  const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`;
  let line = `${bar} ${parts[0] ?? ''}`;
  for (const part of parts.slice(1)) {
    const longer = `${line}, ${part}`;
    if (longer.length + signWidth > columns) break;
    line = longer;
  }
  return line;
}

/** Formats epoch milliseconds for people, in a time zone: `2026-11-23 22:00 +01:00`. */
export function describeMoment(time: number, zone: string): string {
  return withoutSeconds(formatWithOffset(time, zone));
}

/** Formats an ISO 8601 time with offset for people: `2026-11-23 22:00 +01:00`. */
export function withoutSeconds(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} ${iso.slice(19)}`;
}
