import { formatRate } from '../../text/format-count.ts';
import type { Pace } from '../model/forecast.ts';

export interface Range<Value> {
  low: Value;
  likely: Value;
  high: Value;
}

export function mapRange<Value, Other>(
  { low, likely, high }: Range<Value>,
  turn: (value: Value) => Other,
): Range<Other> {
  return { low: turn(low), likely: turn(likely), high: turn(high) };
}

/** A pace, and how it was measured: by an import that wrote at it, or by look-ups that only read. */
export interface PaceEvidence {
  pace: Pace;
  source: 'import' | 'look-ups';
  /** Milliseconds since it was measured. */
  age: number;
  /** Most look-ups a second that were tried. */
  ceiling?: number;
}

/** Limits that a run sets itself, whatever the tenant can handle. */
export interface OwnLimits {
  /** Most requests a second. */
  rate?: number | undefined;
  /** Number of machines that import parts of the file at the same time. */
  machines?: number | undefined;
}

const day = 86_400_000;
/** Smallest deviation, as a fraction: even the steadiest runs differ by this much. */
const least = 0.1;
/** Slowest speed, as a fraction of the likely one: a part of a run with hardly any answers says little about a whole run. */
const slowestShare = 1 / 3;
/** Above this fraction of the ceiling, the tenant may handle more than the pace that was measured. */
const nearCeiling = 0.8;

/**
 * The assumed cost of a create in look-ups, most likely and at worst, by what ended the probe: no tenant states it, and a probe
 * must not write. If the ceiling ended it, the tenant showed no effort; the figures for `effort` are those of the local service.
 */
const writeCosts = {
  limit: { likely: 1, worst: 3 },
  ceiling: { likely: 1.5, worst: 8 },
  effort: { likely: 4, worst: 8 },
} as const;

/**
 * Forecasts how long requests take, from what is known about the tenant's pace: `speeds` in requests a second, and the `reasons`
 * why the range is as wide as it is, in sentences.
 */
export function forecastTime(
  requests: number,
  evidence: PaceEvidence,
  { rate = Infinity, machines = 1 }: OwnLimits = {},
) {
  const { speeds: known, reasons } = evidence.source === 'import' ? ofImport(evidence) : ofLookUps(evidence);
  const speeds = {
    low: Math.min(known.low / machines, rate * (1 - least)),
    likely: Math.min(known.likely / machines, rate),
    // Not divided: one machine alone may reach the limit, or only all of them together.
    high: Math.min(known.high, rate),
  };
  if (machines > 1)
    reasons.push(`${machines} machines share what the tenant bears, unless they do not reach its limit`);
  if (rate < known.high) reasons.push(`--rate allows ${formatRate(rate)} requests/s at most`);
  return {
    speeds,
    seconds: {
      low: requests / speeds.high,
      likely: requests / speeds.likely,
      high: requests / speeds.low,
    },
    reasons,
  };
}

function ofImport({ pace, age }: PaceEvidence): { speeds: Range<number>; reasons: string[] } {
  const { slowest, likely, fastest } = pace;
  const days = Math.max(age, 0) / day;
  const drift = days / 100;
  return {
    speeds: {
      low: Math.max(Math.min(slowest, likely * (1 - least)), likely * slowestShare) * (1 - drift),
      likely,
      high: Math.max(fastest, likely * (1 + least)) * (1 + drift),
    },
    reasons: [
      'from the slowest to the fastest tenth of that import, and at least a tenth either way',
      ...(days >= 1 ? [`a percent more for each of the ${Math.floor(days)} days since`] : []),
    ],
  };
}

function ofLookUps({ pace, ceiling = Infinity }: PaceEvidence): { speeds: Range<number>; reasons: string[] } {
  const end = pace.limit !== null ? 'limit' : pace.likely > ceiling * nearCeiling ? 'ceiling' : 'effort';
  const { likely, worst } = writeCosts[end];
  const read = pace.limit ?? pace.likely;
  const most =
    end === 'limit'
      ? `a limit of requests most likely counts both alike, at the worst a create as ${worst}`
      : `it is assumed to take ${likely} times a look-up, at the worst ${worst} times`;
  return {
    speeds: {
      low: (read * (1 - least)) / worst,
      likely: read / likely,
      high: Math.max(pace.fastest, read) * (1 + least),
    },
    reasons: [
      `a create is more expensive than a look-up, and none was tried: ${most}`,
      ...(end === 'ceiling'
        ? [
            `no limit was met at ${formatRate(ceiling)} look-ups/s, so an import may be faster still; --rate probes another pace`,
          ]
        : []),
    ],
  };
}

/** Limits that tenants usually have, in requests a second. */
export const usualLimits = [10, 50, 100, 300, 1000] as const;
