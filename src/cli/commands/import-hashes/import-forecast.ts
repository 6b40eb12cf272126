import type { ImportOptions } from '../../../migration/import-users.ts';
import type { Forecast } from '../../../migration/model/forecast.ts';
import type { Preview } from '../../../migration/model/preview.ts';
import type { SendingWindow } from '../../../migration/rate-limit/sending-window.ts';
import { rememberedPace } from '../../config/pace-file.ts';
import type { CommandContext } from '../../context/context.ts';
import { type ForecastFacts, makeForecast } from '../../output/forecast.ts';
import { zoneOf } from '../../output/local-time.ts';

/** How an import will be run, as far as it says how long that takes. */
export interface ImportSpeed extends Pick<ImportOptions, 'target' | 'rate' | 'shard' | 'concurrency'> {
  window: SendingWindow | undefined;
}

/**
 * Forecasts an import that begins now: by what is remembered of its tenant, unless there is other evidence. What a person's own
 * number of requests in flight makes of it is not known.
 */
export function forecastImport(
  context: CommandContext,
  requests: number,
  { target, rate, shard, concurrency = 'auto', window }: ImportSpeed,
  evidence: ForecastFacts['evidence'] = concurrency === 'auto' ? rememberedPace(context, target) : undefined,
): Forecast {
  const limits = { rate, machines: shard?.of };
  return makeForecast({ requests, evidence, limits, now: context.now(), zone: zoneOf(context), window });
}

/**
 * Requests that an import still makes when so many of its rows were sent before: one for each row, and one for each user who is
 * disabled, of whom the same part is taken to be left.
 */
export function requestsLeft({ ready, to_disable: disabled }: Preview, sent: number): number {
  const left = Math.max(ready - sent, 0);
  return left + (ready === 0 ? 0 : Math.round((disabled * left) / ready));
}
