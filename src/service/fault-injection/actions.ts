import { isRecord } from '../../contract/is-record.ts';
import {
  listOf,
  listOr,
  needed,
  note,
  number,
  object,
  objectOr,
  oneOf,
  optional,
  type Reader,
  truth,
  whole,
} from '../json/readers.ts';
import { readyAnswer } from './answers.ts';
import type { Action } from './fault.ts';
import { openBucket, type Rate } from './token-bucket.ts';

const milliseconds = whole(0, 600_000);
const seconds = whole(0, 86_400);
const perSecond = number(0, 1e6);
const yes = oneOf([true]);

const range: Reader<number[]> = (value, place) => {
  const ends = Array.isArray(value) ? value.map((end: unknown) => milliseconds(end, place)) : [];
  const [low, high, ...more] = ends;
  return low !== undefined && high !== undefined && low <= high && more.length === 0
    ? [low, high]
    : note(place, 'must be a number, or two of them, the smaller one first');
};

interface Answer {
  status: 429 | 500 | 502 | 503 | 504;
  body?: 'json' | 'html';
  /** Seconds; `date_in` writes them as a date. */
  retry_after?: number | { date_in: number };
  after_commit?: boolean;
}

const answer = object<Answer>(
  {
    status: needed(oneOf([429, 500, 502, 503, 504])),
    body: optional(oneOf(['json', 'html'])),
    retry_after: optional(objectOr(seconds, object({ date_in: needed(seconds) }))),
    after_commit: optional(truth),
  },
  {
    check({ status, retry_after, after_commit }, place) {
      if (status === 429 && after_commit)
        note(place, 'cannot be 429 after the commit: it says that nothing was done');
      if (retry_after !== undefined && status !== 429 && status !== 503)
        note(place, 'has a retry_after, which goes with 429 and 503 only');
    },
  },
);

interface Limit {
  per_second?: number;
  burst?: number;
  schedule?: { after_s: number; per_second: number }[];
  retry_after?: boolean;
}

const step = object({ after_s: needed(number(0, 1e6)), per_second: needed(perSecond) });

const schedule: Reader<{ after_s: number; per_second: number }[]> = (value, place) => {
  const steps = listOf(step)(value, place);
  return steps?.some(({ after_s }, index) => after_s <= (steps[index - 1]?.after_s ?? -1))
    ? note(place, 'must be in order of after_s')
    : steps;
};

const limit = object<Limit>(
  {
    per_second: optional(perSecond),
    burst: optional(whole(1, 1e6)),
    schedule: optional(schedule),
    retry_after: optional(truth),
  },
  {
    check({ per_second, schedule: steps }, place) {
      if (per_second === undefined && steps === undefined) note(place, 'needs per_second or schedule');
    },
  },
);

/** What can be done to a call, by the field of `do` that names it: the fields it has, and what they mean. */
const deeds: Record<string, Reader<Action>> = {
  latency_ms: deed(
    object<{ latency_ms: number | number[]; after_commit?: boolean }>({
      latency_ms: needed(listOr(milliseconds, range)),
      after_commit: optional(truth),
    }),
    ({ latency_ms, after_commit }) => {
      const [low = 0, high = low] = [latency_ms].flat();
      const part = after_commit ? 'delayAfter' : 'delayBefore';
      return ({ random }) => ({ [part]: Math.round(low + random() * (high - low)) });
    },
  ),
  status: deed(answer, ({ status, body, retry_after, after_commit }) => {
    const speaker = body ?? (status === 429 || status === 500 ? 'json' : 'html');
    return ({ now }) => {
      const isDate = typeof retry_after === 'object';
      const retryAfter = isDate ? dateIn(retry_after.date_in, now) : retry_after?.toString();
      return { ending: readyAnswer(status, speaker, { afterCommit: after_commit === true, retryAfter }) };
    };
  }),
  reset: deed(object({ reset: needed(oneOf(['before_commit', 'after_commit'])) }), ({ reset }) => () => ({
    ending: { kind: 'reset', afterCommit: reset === 'after_commit' },
  })),
  cut_reply: deed(object({ cut_reply: needed(yes) }), () => () => ({
    ending: { kind: 'cut', afterCommit: true },
  })),
  html: deed(
    object<{ html: boolean; after_commit?: boolean }>({ html: needed(yes), after_commit: optional(truth) }),
    ({ after_commit }) =>
      () => ({
        ending: readyAnswer(200, 'html', { afterCommit: after_commit === true }),
      }),
  ),
  expire_token: deed(
    object({ expire_token: needed(yes) }),
    () =>
      ({ token }) =>
        token === undefined ? undefined : { ending: { kind: 'expired', afterCommit: false } },
  ),
  hidden_rate_limit: deed(object({ hidden_rate_limit: needed(limit) }), ({ hidden_rate_limit }) => {
    const { per_second, burst, schedule: steps = [], retry_after } = hidden_rate_limit;
    const later = steps.map((step): Rate => ({ from: step.after_s * 1000, perSecond: step.per_second }));
    const [first, ...more] =
      per_second === undefined ? later : [{ from: 0, perSecond: per_second }, ...later];
    const bucket = first && openBucket([first, ...more], burst);
    return ({ elapsed }) => {
      const wait = bucket?.take(elapsed) ?? 0;
      if (wait === 0) return undefined;
      const retryAfter = retry_after ? String(Math.min(Math.ceil(wait / 1000), 86_400)) : undefined;
      return { ending: readyAnswer(429, 'json', { retryAfter }) };
    };
  }),
};

function deed<T>(read: Reader<T>, make: (given: T) => Action): Reader<Action> {
  return (value, place) => {
    const given = read(value, place);
    return given === undefined ? undefined : make(given);
  };
}

/** The seconds are rounded up, so that a caller who obeys is never early. */
function dateIn(wait: number, now: number): string {
  return new Date(Math.ceil(now / 1000 + wait) * 1000).toUTCString();
}

/** Reads `do`: exactly one deed, with the fields that go with it. */
export const readAction: Reader<Action> = (value, place) => {
  const known = Object.keys(deeds);
  const [name, ...more] = isRecord(value) ? known.filter((field) => Object.hasOwn(value, field)) : [];
  const read = name !== undefined && more.length === 0 ? deeds[name] : undefined;
  return read ? read(value, place) : note(place, `must have exactly one of ${known.join(', ')}`);
};
