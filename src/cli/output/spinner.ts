import { formatCount } from '../../text/format-count.ts';
import type { CommandContext } from '../context/context.ts';
import { toJson } from './formats/json.ts';
import { say } from './show.ts';
import { paint } from './styles.ts';

/** How far something is that takes long: `1,234 of 5,678 users read, 3 match`. */
export interface ProgressStep {
  what: string;
  done?: number;
  total?: number;
  /** Of those done, the ones that are asked for. */
  matches?: number | undefined;
}

/** A step in words. */
export function describeStep({ what, done, total, matches }: ProgressStep): string {
  if (done === undefined || total === undefined) return what;
  const found = matches === undefined ? '' : `, ${formatCount(matches)} match`;
  return `${formatCount(done)} of ${formatCount(total)} ${what}${found}`;
}

/** Writes the line of `--progress jsonl`; JSON beside it on stderr is that of an error. */
export function tellProgress({ stderr }: CommandContext, progress: object): void {
  stderr.write(`${toJson({ progress })}\n`);
}

/** Milliseconds between two lines of progress, where none can be redrawn. */
export const lineEvery = 5000;

/** A line on a person's terminal that moves while something is waited for. */
export interface Spinner {
  text: string;
  /** Takes the line away until it moves again. */
  clear(): void;
  /** Shows the line again after `stop`. */
  start(): void;
  /** Takes the line away without a trace. */
  stop(): void;
}

/**
 * Can a person be shown a moving line? Not with `--quiet` and `--json`, nor where the cursor cannot be moved. A terminal
 * of 0 columns (`script` and `docker run -t` without one of their own) has no line to move: taking back what is
 * endlessly many lines high would never end.
 */
export function isWatched(context: CommandContext): boolean {
  const { progress, quiet, json } = context.options;
  // First, since it takes time to open stderr.
  if (progress || quiet || json) return false;
  const { stderr, env } = context;
  const isMovable = stderr.isTTY === true && 'cursorTo' in stderr && env.TERM !== 'dumb';
  return isMovable && stderr.columns !== 0;
}

/** Shows a spinner at once; only where somebody watches. */
export async function startSpinner(context: CommandContext, text: string): Promise<Spinner> {
  const { default: ora, spinners } = await import('ora');
  const { interval, frames } = spinners.dots;
  return ora({
    text,
    // The library would decide by itself, for another stream, whether there are colours and a terminal.
    spinner: { interval, frames: frames.map((frame) => paint(context, 'stderr', 'cyan', frame)) },
    color: false,
    isEnabled: true,
    stream: context.stderr as NodeJS.WriteStream,
    discardStdin: false,
  }).start();
}

/** Milliseconds before a spinner appears; loading it takes a while as well, a tenth of a second together. */
const showAfter = 60;

const redrawEvery = 100;

/** Waits for something, with a spinner where it takes long and somebody watches; the step may change meanwhile. */
export async function whileWaiting<Value>(
  context: CommandContext,
  step: string | (() => ProgressStep),
  awaited: Promise<Value>,
): Promise<Value> {
  if (context.options.progress && typeof step !== 'string') return whileTelling(context, step, awaited);
  if (!isWatched(context)) return awaited;
  const latest = () => (typeof step === 'string' ? step : describeStep(step()));
  let isOver = false;
  let spinner: Spinner | undefined;
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

/** Shows a spinner for work that says itself how far it is, where it takes long and somebody watches. */
export function whileWorking<Value>(
  context: CommandContext,
  what: string,
  work: (tell: (step: ProgressStep) => void) => Promise<Value>,
): Promise<Value> {
  let step: ProgressStep = { what };
  const working = work((next) => {
    step = next;
  });
  return whileWaiting(context, () => step, working);
}

/**
 * The same for work that writes files: a command that is interrupted ends when the work has given them up, and says what became
 * of them. The work hears the signal by itself.
 */
export function whileWriting<Value>(
  context: CommandContext,
  what: string,
  interrupted: string,
  work: (tell: (step: ProgressStep) => void) => Promise<Value>,
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

async function whileTelling<Value>(
  context: CommandContext,
  step: () => ProgressStep,
  awaited: Promise<Value>,
): Promise<Value> {
  const timer = setInterval(() => tellProgress(context, step()), lineEvery).unref();
  try {
    return await awaited;
  } finally {
    clearInterval(timer);
    tellProgress(context, step());
  }
}

/** Waits for each page of a result; while it is handed on, nothing moves. */
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
