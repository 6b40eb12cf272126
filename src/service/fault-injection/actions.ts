import * as v from 'valibot';
import { isRecord } from '../../contract/is-record.ts';
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
import type { Action } from './fault.ts';

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

/** The schema of an action: its fields, and what they do. */
function action<Schema extends v.GenericSchema>(
  fields: Schema,
  make: (given: v.InferOutput<Schema>) => Action,
): ActionSchema {
  return v.pipe(fields, v.transform(make));
}

/** The actions by the field of `do` that selects them. */
const actions: Record<string, ActionSchema> = {
  latency_ms: action(
    object({ latency_ms: oneOrList(milliseconds, range), after_commit }),
    ({ latency_ms, after_commit }) => {
      const [low = 0, high = low] = [latency_ms].flat();
      const part = after_commit ? 'delayAfter' : 'delayBefore';
      return ({ random }) => ({ [part]: Math.round(low + random() * (high - low)) });
    },
  ),
  status: action(answer, ({ status, body, retry_after, after_commit: afterCommit }) => {
    const sender = body ?? (status === 429 || status === 500 ? 'json' : 'html');
    return ({ now }) => {
      const isDate = typeof retry_after === 'object';
      const retryAfter = isDate ? httpDate(retry_after.date_in, now) : retry_after?.toString();
      return { ending: answerWith(status, sender, { afterCommit, retryAfter }) };
    };
  }),
  reset: action(object({ reset: oneOf(['before_commit', 'after_commit']) }), ({ reset }) => {
    return () => ({ ending: resetConnection(reset === 'after_commit') });
  }),
  cut_reply: action(object({ cut_reply: onlyTrue }), () => () => ({ ending: cutReply })),
  html: action(object({ html: onlyTrue, after_commit }), ({ after_commit: afterCommit }) => {
    return () => ({ ending: answerWith(200, 'html', { afterCommit }) });
  }),
  expire_token: action(object({ expire_token: onlyTrue }), () => ({ token }) => {
    return token === undefined ? undefined : { ending: expiredToken };
  }),
  hidden_rate_limit: action(object({ hidden_rate_limit: limit }), ({ hidden_rate_limit }) =>
    hiddenLimit(hidden_rate_limit),
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
    return { ending: answerWith(429, 'json', { retryAfter }) };
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
