import type { ImportOptions } from '../../../migration/import-users.ts';
import type { Forecast } from '../../../migration/model/forecast.ts';
import type { Preview } from '../../../migration/model/preview.ts';
import type { SendingWindow } from '../../../migration/rate-limit/sending-window.ts';
import { rememberedPace } from '../../config/pace-file.ts';
import type { CommandContext } from '../../context/context.ts';
import { type ForecastFacts, makeForecast } from '../../output/forecast.ts';
import { zoneOf } from '../../output/local-time.ts';

/** The options of an import that decide how long it takes. */
export interface ImportSpeed extends Pick<ImportOptions, 'target' | 'rate' | 'shard' | 'concurrency'> {
  window: SendingWindow | undefined;
}

/**
 * Forecasts an import that begins now, by the remembered pace of its tenant unless other evidence is given. A fixed
 * `concurrency` changes the pace in an unknown way, so the remembered one is not used then.
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
 * Number of requests that an import still makes after `sent` rows: one for each row left, and one for each user left to
 * disable. The same share of both is assumed to be left.
 */
export function requestsLeft({ ready, to_disable: disabled }: Preview, sent: number): number {
  const left = Math.max(ready - sent, 0);
  return left + (ready === 0 ? 0 : Math.round((disabled * left) / ready));
}
