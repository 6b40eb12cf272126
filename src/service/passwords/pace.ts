/** How long the comparisons of each scheme took of late, without the time in the queue. */
export interface Pace {
  /** Times a comparison. */
  time<Result>(scheme: string, compare: () => Promise<Result>): Promise<{ result: Result; took: number }>;
  /** Milliseconds that the slowest scheme now takes: the median of its last comparisons. */
  slowest(): number;
}

const remembered = 9;

/** Starts without a measurement: the first comparison of a scheme is the first that counts. */
export function createPace(): Pace {
  const recent = new Map<string, number[]>();
  return {
    async time(scheme, compare) {
      const start = performance.now();
      const result = await compare();
      const took = performance.now() - start;
      recent.set(scheme, [...(recent.get(scheme) ?? []), took].slice(-remembered));
      return { result, took };
    },
    slowest: () => Math.max(0, ...[...recent.values()].map(medianOf)),
  };
}

function medianOf(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
