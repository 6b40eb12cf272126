import type { Progress } from '../migration/import-hashes.ts';
import type { Session } from './world.ts';

/** Shows how far a run is, on stderr. */
export interface ProgressDisplay {
  update(progress: Progress): void;
  end(): void;
}

const redrawEvery = 100;
const lineEvery = 5000;

/** A line that is redrawn on a terminal; a plain line every few seconds elsewhere; nothing with `--quiet` or `--json`. */
export async function showProgress(session: Session): Promise<ProgressDisplay> {
  const { options, stderr, now } = session;
  if (options.quiet || options.json) return { update() {}, end() {} };
  const started = now();
  let next = started + (stderr.isTTY ? redrawEvery : lineEvery);
  const spinner = stderr.isTTY ? await startSpinner(session) : undefined;
  return {
    update(progress) {
      const time = now();
      if (time < next) return;
      next = time + (spinner ? redrawEvery : lineEvery);
      const line = describe(progress, time - started);
      if (spinner) spinner.text = line;
      else stderr.write(`${line}\n`);
    },
    end: () => void spinner?.stop(),
  };
}

async function startSpinner({ stderr }: Session) {
  const { default: ora } = await import('ora');
  return ora({
    text: 'checking the file',
    stream: stderr as NodeJS.WriteStream,
    discardStdin: false,
  }).start();
}

/** done/total, counts, rate and time left. */
function describe({ total, done, created, failed }: Progress, elapsed: number): string {
  const rate = done / Math.max(elapsed / 1000, 0.001);
  const left = Math.round((total - done) / Math.max(rate, 0.001));
  const minutes = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return `${done}/${total} rows, ${created} created, ${failed} failed, ${Math.round(rate)} rows/s, ${minutes} left`;
}
