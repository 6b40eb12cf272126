import type { Ora } from 'ora';
import type { OnStep, ProgressStep } from '../../migration/model/progress-step.ts';
import { formatCount } from '../../text/format-count.ts';
import type { CommandContext } from '../context/context.ts';
import { toJson } from './formats/json.ts';
import { say } from './show.ts';
import { paint } from './styles.ts';

export function describeStep({ what, done, total, matches }: ProgressStep): string {
  if (done === undefined || total === undefined) return what;
  const found = matches === undefined ? '' : `, ${formatCount(matches)} match`;
  return `${formatCount(done)} of ${formatCount(total)} ${what}${found}`;
}

/** Writes a line of `--progress jsonl`. The only other JSON on stderr is an error. */
export function tellProgress({ stderr }: CommandContext, progress: object): void {
  stderr.write(`${toJson({ progress })}\n`);
}

/** Milliseconds between two lines of progress if a line cannot be redrawn. */
export const lineEvery = 5000;

/**
 * True if a person can be shown an animated line: not with `--progress`, `--quiet` or `--json`, nor if the cursor
 * cannot be moved. A terminal of 0 columns (`script` and `docker run -t` without one of their own) cannot show it: the
 * line would count as infinitely many lines, and removing them would never end.
 */
export function isWatched(context: CommandContext): boolean {
  const { progress, quiet, json } = context.options;
  // Checked first, because opening stderr takes time.
  if (progress || quiet || json) return false;
  const { stderr, env } = context;
  const isMovable = stderr.isTTY === true && 'cursorTo' in stderr && env.TERM !== 'dumb';
  return isMovable && stderr.columns !== 0;
}

/** Shows a spinner at once. Only for a terminal that `isWatched`. */
export async function startSpinner(context: CommandContext, text: string): Promise<Ora> {
  const { default: ora, spinners } = await import('ora');
  const { interval, frames } = spinners.dots;
  return ora({
    text,
    // Colors and terminal are decided here: the library would check another stream.
    spinner: { interval, frames: frames.map((frame) => paint(context, 'stderr', 'cyan', frame)) },
    color: false,
    isEnabled: true,
    stream: context.stderr as NodeJS.WriteStream,
    discardStdin: false,
  }).start();
}

/** Milliseconds before a spinner is loaded. With the loading it appears after a tenth of a second. */
const showAfter = 60;

const redrawEvery = 100;

/** Waits for `awaited`, with a spinner if it takes long and a person watches. The result of `step` may change meanwhile. */
export async function whileWaiting<Value>(
  context: CommandContext,
  step: string | (() => ProgressStep),
  awaited: Promise<Value>,
): Promise<Value> {
  if (context.options.progress && typeof step !== 'string') {
    const tell = () => tellProgress(context, step());
    const timer = setInterval(tell, lineEvery).unref();
    return awaited.finally(() => {
      clearInterval(timer);
      tell();
    });
  }
  if (!isWatched(context)) return awaited;
  const latest = () => (typeof step === 'string' ? step : describeStep(step()));
  let isOver = false;
  let spinner: Ora | undefined;
  const timer = setTimeout(async () => {
    const started = await startSpinner(context, latest());
    if (isOver) started.stop();
    else spinner = started;
  }, showAfter);
  const redraw = setInterval(() => {
    if (spinner) spinner.text = latest();
  }, redrawEvery);
  try {
    return await awaited;
  } finally {
    isOver = true;
    clearTimeout(timer);
    clearInterval(redraw);
    spinner?.stop();
  }
}

/** Like `whileWaiting`, for work that reports its progress with `report`. */
export function whileWorking<Value>(
  context: CommandContext,
  what: string,
  work: (report: OnStep) => Promise<Value>,
): Promise<Value> {
  let step: ProgressStep = { what };
  const working = work((next) => {
    step = next;
  });
  return whileWaiting(context, () => step, working);
}

/**
 * Like `whileWorking`, for work that writes files. An interrupted command ends only after the work has discarded its
 * files, and then says `interrupted`. The work itself must watch the signal.
 */
export function whileWriting<Value>(
  context: CommandContext,
  what: string,
  interrupted: string,
  work: (report: OnStep) => Promise<Value>,
): Promise<Value> {
  const working = whileWorking(context, what, work);
  context.onExit(async () => {
    const isGivenUp = await working.then(
      () => false,
      () => context.signal.aborted,
    );
    if (isGivenUp) say(context, interrupted);
  });
  return working;
}

/** Yields the pages of a result, with a spinner while waiting for each page, but not while the caller handles it. */
export async function* pagesWhileWaiting<Page>(
  context: CommandContext,
  step: () => ProgressStep,
  pages: AsyncGenerator<Page>,
): AsyncGenerator<Page> {
  for (;;) {
    const { done, value } = await whileWaiting(context, step, pages.next());
    if (done) return;
    yield value;
  }
}
