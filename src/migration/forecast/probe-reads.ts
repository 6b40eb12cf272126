import { NotSentError } from '../../client/errors.ts';
import { systemClock } from '../../client/retry.ts';
import type { KeyQuery } from '../actions/keys.ts';
import type { Pace } from '../model/forecast.ts';
import { measurePace } from '../rate-limit/measure-pace.ts';
import { callApi, createRunControl, type RunControlOptions } from '../send/call-api.ts';
import { lookUpUser, type UserFinder } from '../send/existing-user.ts';

export interface ProbeOptions extends Pick<RunControlOptions, 'signal' | 'clock'> {
  seconds: number;
  /** Most look-ups a second. */
  rate: number;
}

/** Look-ups in progress or waiting at the same time; an import would have more. */
const most = 64;
/** Fewest answers from which a pace is measured. */
const fewestAnswers = 20;

/**
 * Measures how many look-ups a second a tenant answers, with the rate limiter of an import; writes nothing. `undefined` if too few
 * were answered. Rejects with the tenant's error, or with the signal's reason.
 */
export async function probeReads(
  finder: UserFinder,
  queries: readonly KeyQuery[],
  { seconds, rate, signal, clock = systemClock }: ProbeOptions,
): Promise<Pace | undefined> {
  const over = new AbortController();
  const ends = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const control = createRunControl({ rate, clock, signal: ends });
  const { breaker, limiter } = control;
  let next = 0;
  let failure: unknown;

  async function ask(): Promise<void> {
    while (!breaker.isOpen()) {
      const query = queries[next % queries.length] as KeyQuery;
      next += 1;
      const keep = (error: unknown) => {
        failure = error instanceof NotSentError ? error.cause : error;
        throw error;
      };
      await callApi(control, 'repeatable', () => lookUpUser(finder, query).catch(keep));
    }
  }

  const cancel = clock.schedule(seconds * 1000, () => over.abort());
  await Promise.all(Array.from({ length: most }, ask)).finally(cancel);
  signal?.throwIfAborted();
  if (!over.signal.aborted) throw breaker.reason();
  const history = limiter.history();
  const pace = measurePace(history, fewestAnswers);
  if (failure !== undefined && history.every(({ answered }) => answered === 0)) throw failure;
  // The allowed rate is a limit of the tenant only if the tenant throttled.
  return pace && (history.some(({ throttled }) => throttled > 0) ? pace : { ...pace, limit: null });
}
