import type { Progress } from '../migration/tally.ts';
import { printable } from './formats/cell.ts';
import { isWatched, startSpinner } from './spinner.ts';
import type { Session } from './world.ts';

/** Shows how far a run is, on stderr. */
export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Says something in a line of its own, which stays. */
  say(text: string): void;
  end(): void;
}

const redrawEvery = 100;
const lineEvery = 5000;

/** A line that is redrawn on a terminal; a plain line every few seconds elsewhere; nothing with `--quiet` or `--json`. */
export async function showProgress(session: Session): Promise<ProgressDisplay> {
  const { options, now } = session;
  if (options.quiet || options.json) return { update() {}, say() {}, end() {} };
  const started = now();
  const spinner = isWatched(session) ? await startSpinner(session, 'Checking the file') : undefined;
  let next = started + (spinner ? redrawEvery : lineEvery);
  return {
    update(progress) {
      const time = now();
      if (time < next) return;
      next = time + (spinner ? redrawEvery : lineEvery);
      const line = describe(progress, time - started);
      if (spinner) spinner.text = line;
      else session.stderr.write(`${line}\n`);
    },
    say(text) {
      spinner?.clear();
      session.stderr.write(`${printable(text)}\n`);
    },
    end: () => void spinner?.stop(),
  };
}

/** done/total, counts, rate and time left. */
function describe({ total, done, created, failed }: Progress, elapsed: number): string {
  const rate = done / Math.max(elapsed / 1000, 0.001);
  const left = Math.round((total - done) / Math.max(rate, 0.001));
  const minutes = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return `${done}/${total} rows, ${created} created, ${failed} failed, ${Math.round(rate)} rows/s, ${minutes} left`;
}
