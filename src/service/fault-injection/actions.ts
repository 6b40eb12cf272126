import { STATUS_CODES } from 'node:http';
import * as v from 'valibot';
import { isRecord } from '../../contract/is-record.ts';
import { apiError } from '../errors/api-error.ts';
import { createTokenBucket, type Rate } from '../http/token-bucket.ts';
import {
  boolean,
  crossCheck,
  integer,
  listOf,
  numberUpTo,
  object,
  oneOf,
  oneOrList,
  onlyTrue,
} from '../json/file-schemas.ts';
import { answerWith, cutReply, expiredToken, resetConnection } from './endings.ts';
import type { Action, Ending } from './fault.ts';

const milliseconds = integer(0, 600_000);
const seconds = integer(0, 86_400);
const perSecond = numberUpTo(1e6);
const after_commit = v.exactOptional(boolean);

const lowToHigh = 'must be a number, or two of them, the smaller one first';
const range = v.pipe(
  v.strictTuple([milliseconds, milliseconds], lowToHigh),
  v.check(([low, high]) => low <= high, lowToHigh),
);

const dateIn = object({ date_in: seconds });

const answer = v.pipe(
  object({
    status: oneOf([429, 500, 502, 503, 504]),
    body: v.exactOptional(oneOf(['json', 'html'])),
    /** Seconds; `date_in` sends them as a date. */
    retry_after: v.exactOptional(v.lazy((given) => (isRecord(given) ? dateIn : seconds))),
    after_commit,
  }),
  crossCheck(({ status, retry_after, after_commit }, report) => {
    if (status === 429 && after_commit)
      report('cannot be 429 after the commit: it says that nothing was done');
    if (retry_after !== undefined && status !== 429 && status !== 503)
      report('has a retry_after, which goes with 429 and 503 only');
  }),
);

const step = object({ after_s: numberUpTo(1e6), per_second: perSecond });

const schedule = v.pipe(
  listOf(step),
  v.check(
    (steps) => steps.every(({ after_s }, index) => after_s > (steps[index - 1]?.after_s ?? -1)),
    'must be in order of after_s',
  ),
);

const limit = v.pipe(
  object({
    per_second: v.exactOptional(perSecond),
    burst: v.exactOptional(integer(1, 1e6)),
    schedule: v.exactOptional(schedule),
    retry_after: v.exactOptional(boolean),
  }),
  crossCheck(({ per_second, schedule }, report) => {
    if (per_second === undefined && schedule === undefined) report('needs per_second or schedule');
  }),
);

type ActionSchema = v.GenericSchema<unknown, Action>;

/** The actions by the field of `do` that selects them: the fields of each, and what they do. */
const actions: Record<string, ActionSchema> = {
  latency_ms: v.pipe(
    object({ latency_ms: oneOrList(milliseconds, range), after_commit }),
    v.transform(({ latency_ms, after_commit }): Action => {
      const [low = 0, high = low] = [latency_ms].flat();
      const part = after_commit ? 'delayAfter' : 'delayBefore';
      return ({ random }) => ({ [part]: Math.round(low + random() * (high - low)) });
    }),
  ),
  status: v.pipe(
    answer,
    v.transform(({ status, body, retry_after, after_commit }): Action => {
      const sender = body ?? (status === 429 || status === 500 ? 'json' : 'html');
      return ({ now }) => {
        const isDate = typeof retry_after === 'object';
        const retryAfter = isDate ? httpDate(retry_after.date_in, now) : retry_after?.toString();
        return { ending: failureAnswer(status, sender, { afterCommit: after_commit === true, retryAfter }) };
      };
    }),
  ),
  reset: v.pipe(
    object({ reset: oneOf(['before_commit', 'after_commit']) }),
    v.transform(
      ({ reset }): Action =>
        () => ({ ending: resetConnection(reset === 'after_commit') }),
    ),
  ),
  cut_reply: v.pipe(
    object({ cut_reply: onlyTrue }),
    v.transform((): Action => () => ({ ending: cutReply })),
  ),
  html: v.pipe(
    object({ html: onlyTrue, after_commit }),
    v.transform(
      ({ after_commit }): Action =>
        () => ({ ending: failureAnswer(200, 'html', { afterCommit: after_commit === true }) }),
    ),
  ),
  expire_token: v.pipe(
    object({ expire_token: onlyTrue }),
    v.transform(
      (): Action =>
        ({ token }) =>
          token === undefined ? undefined : { ending: expiredToken },
    ),
  ),
  hidden_rate_limit: v.pipe(
    object({ hidden_rate_limit: limit }),
    v.transform(({ hidden_rate_limit }) => hiddenLimit(hidden_rate_limit)),
  ),
};

function hiddenLimit({ per_second, burst, schedule = [], retry_after }: v.InferOutput<typeof limit>): Action {
  const later = schedule.map((step): Rate => ({ from: step.after_s * 1000, perSecond: step.per_second }));
  const [first, ...more] = per_second === undefined ? later : [{ from: 0, perSecond: per_second }, ...later];
  const bucket = first && createTokenBucket([first, ...more], burst);
  return ({ elapsed }) => {
    const wait = bucket?.acquire(elapsed) ?? 0;
    if (wait === 0) return undefined;
    const retryAfter = retry_after ? String(Math.min(Math.ceil(wait / 1000), 86_400)) : undefined;
    return { ending: failureAnswer(429, 'json', { retryAfter }) };
  };
}

const noAction = v.never(`must have exactly one of ${Object.keys(actions).join(', ')}`);

/** Schema of `do`: exactly one action, with its fields. */
export const anyAction = v.lazy((given): ActionSchema => {
  const fields = isRecord(given) ? Object.keys(actions).filter((field) => Object.hasOwn(given, field)) : [];
  const [name, ...more] = fields;
  return (name !== undefined && more.length === 0 && actions[name]) || noAction;
});

/** Formats an HTTP date. Seconds are rounded up, so that a caller who waits until then is never early. */
function httpDate(wait: number, now: number): string {
  return new Date(Math.ceil(now / 1000 + wait) * 1000).toUTCString();
}

/** Apparent sender of an injected answer: the API, or a gateway before it. */
type Sender = 'json' | 'html';

const senders: Record<Sender, (status: number) => { contentType: string; body: string }> = {
  json: (status) => ({
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify(apiError(status === 429 ? 'rateLimited' : 'systemBusy').body),
  }),
  html: (status) => ({ contentType: 'text/html', body: page(titleOf(status)) }),
};

/** Returns the answer of a failing API (§7.1 with a code of decision 9), or the page of a gateway. */
function failureAnswer(
  status: number,
  sender: Sender,
  { afterCommit = false, retryAfter }: { afterCommit?: boolean; retryAfter?: string | undefined } = {},
): Ending {
  const { contentType, body } = senders[sender](status);
  const wait = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  return answerWith(afterCommit, { status, headers: { 'content-type': contentType, ...wait }, body });
}

/** Returns the title of a page. Status 200 means a page that replaces the API's answer, such as the sign-in page of a network. */
function titleOf(status: number): string {
  return status === 200 ? 'Sign in' : `${status} ${STATUS_CODES[status]}`;
}

function page(title: string): string {
  return `<html>\n<head><title>${title}</title></head>\n<body><center><h1>${title}</h1></center></body>\n</html>\n`;
}
