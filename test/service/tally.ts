import { ApiError } from '../../src/client/errors.ts';
import { CodedError } from '../../src/contract/coded-error.ts';

/** How many calls succeeded, and how often each code was returned. */
export async function tally(calls: Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.allSettled(calls)) {
    const refusal = outcome.status === 'rejected' ? outcome.reason : undefined;
    const isCoded = refusal instanceof ApiError || refusal instanceof CodedError;
    const result = isCoded ? refusal.code : outcome.status;
    counts[result] = (counts[result] ?? 0) + 1;
  }
  return counts;
}
