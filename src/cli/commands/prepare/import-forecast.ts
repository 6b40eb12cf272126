import { formatWithOffset } from '../../../contract/time.ts';
import {
  forecastTime,
  mapRange,
  type PaceEvidence,
  usualLimits,
} from '../../../migration/forecast/forecast-time.ts';
import type { ImportOptions } from '../../../migration/import-users.ts';
import type { Forecast } from '../../../migration/model/forecast.ts';
import type { Preview } from '../../../migration/model/preview.ts';
import { endOf, type SendingWindow, wallTime } from '../../../migration/rate-limit/sending-window.ts';
import { rememberedPace } from '../../config/pace-file.ts';
import { type CommandContext, zoneOf } from '../../context/context.ts';

/** The options of an import that decide how long it takes. */
export interface ImportSpeed extends Pick<ImportOptions, 'target' | 'rate' | 'shard' | 'concurrency'> {
  window: SendingWindow | undefined;
}

const rounded = (value: number) => Math.round(value * 10) / 10;

/**
 * Forecasts an import that begins now, by the remembered pace of its tenant unless other evidence is given; for usual limits if
 * there is none. A fixed `concurrency` changes the pace in an unknown way, so the remembered one is not used then.
 */
export function forecastImport(
  context: CommandContext,
  requests: number,
  { target, rate, shard, concurrency = 'auto', window }: ImportSpeed,
  evidence: PaceEvidence | undefined = concurrency === 'auto' ? rememberedPace(context, target) : undefined,
): Forecast {
  const now = context.now();
  const zone = zoneOf(context);
  const iso = (time: number) => formatWithOffset(time, zone);
  const known = evidence && forecastTime(requests, evidence, { rate, machines: shard?.of });
  const ends = known && mapRange(known.seconds, (seconds) => endOf(seconds, { now, window }));
  const openings = ends ? mapRange(ends, (end) => end.openings) : null;
  // With a rate, the usual limits below it, and the rate itself.
  const speeds = rate === undefined ? usualLimits : [...usualLimits.filter((speed) => speed < rate), rate];
  return {
    requests,
    pace: evidence
      ? {
          source: evidence.source,
          measured_at: new Date(now - evidence.age).toISOString(),
          ...evidence.pace,
        }
      : null,
    requests_per_second: known ? mapRange(known.speeds, rounded) : null,
    seconds: known ? mapRange(known.seconds, rounded) : null,
    starts_at: iso(now),
    ends_at: ends ? mapRange(ends, ({ end }) => iso(end)) : null,
    window: window
      ? { from: wallTime(window.from), to: wallTime(window.to), zone: window.zone, openings }
      : null,
    reasons: known?.reasons ?? [],
    usual: (known ? [] : speeds).map((speed) => {
      const seconds = requests / speed;
      const { end, openings: nights } = endOf(seconds, { now, window });
      return {
        requests_per_second: speed,
        seconds: rounded(seconds),
        ends_at: iso(end),
        openings: window ? nights : null,
      };
    }),
  };
}

/**
 * Number of requests that an import still makes after `sent` rows: one for each row left, and one for each user left to
 * disable. The same share of both is assumed to be left.
 */
export function requestsLeft({ ready, to_disable: disabled }: Preview, sent: number): number {
  const left = Math.max(ready - sent, 0);
  return left + (ready === 0 ? 0 : Math.round((disabled * left) / ready));
}
