import type { ImportOptions } from '../../../migration/import-users.ts';
import type { Forecast } from '../../../migration/model/forecast.ts';
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
