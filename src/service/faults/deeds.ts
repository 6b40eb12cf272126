import type { Deed } from './fault.ts';
import {
  fields,
  isObject,
  listOf,
  listOr,
  mistaken,
  numberFrom,
  objectOr,
  oneOf,
  type Read,
  sound,
  wholeFrom,
} from './fields.ts';
import { openBucket, type Rate } from './open-bucket.ts';
import { readyAnswer } from './ready-answers.ts';

const milliseconds = wholeFrom(0, 600_000);
const seconds = wholeFrom(0, 86_400);
const perSecond = numberFrom(0, 1e6);
const yes = oneOf(true);
const truth = oneOf(true, false);

const range = sound(listOf(milliseconds), ([low = 0, high = 0, ...more]) =>
  more.length > 0 || low > high ? 'must be a number, or two of them, the smaller one first' : undefined,
);

const statusFields = sound(
  fields(
    { status: oneOf(429, 500, 502, 503, 504) },
    {
      body: oneOf('json', 'html'),
      retry_after: objectOr(seconds, fields({ date_in: seconds }, {})),
      after_commit: truth,
    },
  ),
  ({ status, retry_after, after_commit }) => {
    if (status === 429 && after_commit)
      return 'cannot be 429 after the commit: it says that nothing was done';
    if (retry_after === undefined || status === 429 || status === 503) return undefined;
    return 'has a retry_after, which goes with 429 and 503 only';
  },
);

const schedule = sound(listOf(fields({ after_s: numberFrom(0, 1e6), per_second: perSecond }, {})), (steps) =>
  steps.some(({ after_s }, index) => after_s <= (steps[index - 1]?.after_s ?? -1))
    ? 'must be in order of after_s'
    : undefined,
);

const limitFields = sound(
  fields({}, { per_second: perSecond, burst: wholeFrom(1, 1e6), schedule, retry_after: truth }),
  ({ per_second, schedule: steps }) =>
    per_second === undefined && steps === undefined ? 'needs per_second or schedule' : undefined,
);

/** What can be done to a call, by the field of `do` that names it: the fields it has, and what they mean. */
const deeds: Record<string, Read<Deed>> = {
  latency_ms: deed(
    fields({ latency_ms: listOr(milliseconds, range) }, { after_commit: truth }),
    ({ latency_ms, after_commit }) => {
      const [low = 0, high = low] = [latency_ms].flat();
      const part = after_commit ? 'delayAfter' : 'delayBefore';
      return ({ random }) => ({ [part]: Math.round(low + random() * (high - low)) });
    },
  ),
  status: deed(statusFields, ({ status, body, retry_after, after_commit }) => {
    const speaker = body ?? (status === 429 || status === 500 ? 'json' : 'html');
    return ({ now }) => {
      const isDate = typeof retry_after === 'object';
      const retryAfter = isDate ? dateIn(retry_after.date_in, now) : retry_after?.toString();
      return { ending: readyAnswer(status, speaker, { afterCommit: after_commit === true, retryAfter }) };
    };
  }),
  reset: deed(fields({ reset: oneOf('before_commit', 'after_commit') }, {}), ({ reset }) => () => ({
    ending: { kind: 'reset', afterCommit: reset === 'after_commit' },
  })),
  cut_reply: deed(fields({ cut_reply: yes }, {}), () => () => ({
    ending: { kind: 'cut', afterCommit: true },
  })),
  html: deed(fields({ html: yes }, { after_commit: truth }), ({ after_commit }) => () => ({
    ending: readyAnswer(200, 'html', { afterCommit: after_commit === true }),
  })),
  expire_token: deed(
    fields({ expire_token: yes }, {}),
    () =>
      ({ token }) =>
        token === undefined ? undefined : { ending: { kind: 'expired', afterCommit: false } },
  ),
  hidden_rate_limit: deed(fields({ hidden_rate_limit: limitFields }, {}), ({ hidden_rate_limit }) => {
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

function deed<T>(read: Read<T>, make: (given: T) => Deed): Read<Deed> {
  return (value, path, mistakes) => {
    const given = read(value, path, mistakes);
    return given === undefined ? undefined : make(given);
  };
}

/** The seconds are rounded up, so that a caller who obeys is never early. */
function dateIn(wait: number, now: number): string {
  return new Date(Math.ceil(now / 1000 + wait) * 1000).toUTCString();
}

/** Reads `do`: exactly one deed, with the fields that go with it. */
export const readDeed: Read<Deed> = (value, path, mistakes) => {
  const known = Object.keys(deeds);
  const [name, ...more] = isObject(value) ? known.filter((field) => Object.hasOwn(value, field)) : [];
  const read = name !== undefined && more.length === 0 ? deeds[name] : undefined;
  return read
    ? read(value, path, mistakes)
    : mistaken(mistakes, path, `must have exactly one of ${known.join(', ')}`);
};
