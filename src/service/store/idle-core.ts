import { cpus } from 'node:os';

/** What the cores of a machine did since it started, in milliseconds. */
export interface CoreTimes {
  cores: number;
  idle: number;
  /** Of all cores together, idle or not. */
  all: number;
}

/** Milliseconds over which the cores are watched; an answer that was asked for later is about another time. */
const window = 500;

/**
 * Tells whether a core of this machine, or nearly one, has had nothing to do for half a second. To be asked again and again
 * while there is much to do; the first answers are no.
 */
export function watchIdleCore(read: () => CoreTimes = readCores, now = () => performance.now()) {
  let began = -Infinity;
  let before: CoreTimes = { cores: 0, idle: 0, all: 0 };

  function begin(time: number): void {
    began = time;
    before = read();
  }

  return (): boolean => {
    const time = now();
    const watched = time - began;
    if (watched < window) return false;
    const { idle, all } = before;
    begin(time);
    if (watched > 2 * window) return false;
    const passed = before.all - all;
    return passed > 0 && before.cores * (before.idle - idle) >= 0.75 * passed;
  };
}

/** The times of this machine. */
export function readCores(): CoreTimes {
  const cores = cpus();
  const sum = (times: number[]) => times.reduce((total, one) => total + one, 0);
  return {
    cores: cores.length,
    idle: sum(cores.map(({ times }) => times.idle)),
    all: sum(cores.flatMap(({ times }) => Object.values(times))),
  };
}
