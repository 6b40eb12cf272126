import { STATUS_CODES } from 'node:http';
import { isRecord } from '../../contract/is-record.ts';
import { apiError } from '../errors/api-error.ts';
import { createTokenBucket, type Rate } from '../http/token-bucket.ts';
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
import type { Action, Ending } from './fault.ts';

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

/** The actions, by the field of `do` that selects them: the fields that each has, and what they mean. */
const actions: Record<string, Reader<Action>> = {
  latency_ms: action(
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
  status: action(answer, ({ status, body, retry_after, after_commit }) => {
    const sender = body ?? (status === 429 || status === 500 ? 'json' : 'html');
    return ({ now }) => {
      const isDate = typeof retry_after === 'object';
      const retryAfter = isDate ? dateIn(retry_after.date_in, now) : retry_after?.toString();
      return { ending: failureAnswer(status, sender, { afterCommit: after_commit === true, retryAfter }) };
    };
  }),
  reset: action(object({ reset: needed(oneOf(['before_commit', 'after_commit'])) }), ({ reset }) => () => ({
    ending: { kind: 'reset', afterCommit: reset === 'after_commit' },
  })),
  cut_reply: action(object({ cut_reply: needed(yes) }), () => () => ({
    ending: { kind: 'cut', afterCommit: true },
  })),
  html: action(
    object<{ html: boolean; after_commit?: boolean }>({ html: needed(yes), after_commit: optional(truth) }),
    ({ after_commit }) =>
      () => ({
        ending: failureAnswer(200, 'html', { afterCommit: after_commit === true }),
      }),
  ),
  expire_token: action(
    object({ expire_token: needed(yes) }),
    () =>
      ({ token }) =>
        token === undefined ? undefined : { ending: { kind: 'expired', afterCommit: false } },
  ),
  hidden_rate_limit: action(object({ hidden_rate_limit: needed(limit) }), ({ hidden_rate_limit }) => {
    const { per_second, burst, schedule: steps = [], retry_after } = hidden_rate_limit;
    const later = steps.map((step): Rate => ({ from: step.after_s * 1000, perSecond: step.per_second }));
    const [first, ...more] =
      per_second === undefined ? later : [{ from: 0, perSecond: per_second }, ...later];
    const bucket = first && createTokenBucket([first, ...more], burst);
    return ({ elapsed }) => {
      const wait = bucket?.acquire(elapsed) ?? 0;
      if (wait === 0) return undefined;
      const retryAfter = retry_after ? String(Math.min(Math.ceil(wait / 1000), 86_400)) : undefined;
      return { ending: failureAnswer(429, 'json', { retryAfter }) };
    };
  }),
};

function action<T>(read: Reader<T>, make: (given: T) => Action): Reader<Action> {
  return (value, place) => {
    const given = read(value, place);
    return given === undefined ? undefined : make(given);
  };
}

/** The seconds are rounded up, so that a caller who waits until then is never early. */
function dateIn(wait: number, now: number): string {
  return new Date(Math.ceil(now / 1000 + wait) * 1000).toUTCString();
}

/** Reads `do`: exactly one action, with its fields. */
export const readAction: Reader<Action> = (value, place) => {
  const known = Object.keys(actions);
  const [name, ...more] = isRecord(value) ? known.filter((field) => Object.hasOwn(value, field)) : [];
  const read = name !== undefined && more.length === 0 ? actions[name] : undefined;
  return read ? read(value, place) : note(place, `must have exactly one of ${known.join(', ')}`);
};

/** Who seems to send an injected answer: the API, or a gateway before it. */
type Sender = 'json' | 'html';

const senders: Record<Sender, (status: number) => { contentType: string; body: string }> = {
  json: (status) => ({
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(apiError(status === 429 ? 'rateLimited' : 'systemBusy').body),
  }),
  html: (status) => ({ contentType: 'text/html', body: page(titleOf(status)) }),
};

/** The answer of a failing API (§7.1 with a code of decision 9), or the page of a gateway. */
function failureAnswer(
  status: number,
  sender: Sender,
  { afterCommit = false, retryAfter }: { afterCommit?: boolean; retryAfter?: string | undefined } = {},
): Ending {
  const { contentType, body } = senders[sender](status);
  const wait = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return { kind: 'answer', afterCommit, status, headers: { 'content-type': contentType, ...wait }, body };
}

/** 200 is the status of a page that replaces the API's answer, such as the sign-in page of a network. */
function titleOf(status: number): string {
  return status === 200 ? 'Sign in' : `${status} ${STATUS_CODES[status]}`;
}

function page(title: string): string {
  return `<html>\n<head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center></body>\n</html>\n`;
}
