import { errors } from 'undici';
import { isRecord } from '../contract/is-record.ts';
import { hideOddIds } from '../contract/operations.ts';
import { hidden } from '../text/redact.ts';
import { ApiError, AuthenticationError, type Effect, NetworkError, type NetworkFault } from './errors.ts';
import { toNetworkError } from './network-error.ts';
import { isKnownMessage, mayRepeat, redact, redactValue } from './redact.ts';
import type { Reply, Request, SendFailure, Transport } from './transport.ts';

/** Where a request goes, and what it means that no answer comes back. */
export interface RequestContext {
  transport: Transport;
  /** Named in messages; never the path, which may hold a secret (§4.1). */
  origin: string;
  /** Effect of a call that was sent and not answered: `none` where the call can be repeated without harm. */
  unanswered: Effect;
  /** A field that the answer must have: a text, unless it is a list. */
  answer?: string | undefined;
  /** That field must be a list. */
  isList?: boolean | undefined;
  /** What no answer may show, beside the secrets of its own request. */
  secrets: readonly string[];
  /** Called with the exchange when it is over. */
  onExchange?: OnExchange | undefined;
}

/**
 * Sends a request; resolves to the JSON object of a 200, and rejects with one of the three failures otherwise. `attempt`: how
 * many times it has been sent with this one, from 1. No async function: what waits for an answer is kept small, and not long.
 */
export function exchange(to: RequestContext, request: Request, attempt = 1): Promise<unknown> {
  const reply = to.onExchange ? watched(to, request, attempt, to.onExchange) : send(to, request);
  return reply.then((answer) => read(answer, to, request));
}

/** The JSON object of a 200; throws one of the three failures otherwise. */
function read(reply: Reply, to: RequestContext, request: Request): unknown {
  const value = parse(reply.text);
  if (reply.status === 200 && isRecord(value) && isAnswer(value, to)) {
    // Where no field is asked for, the whole answer is shown, whatever is in it.
    const isSafe = to.answer !== undefined && !mayRepeat(value, reply.text, request, to.secrets);
    return isSafe ? value : redactValue(value, request, to.secrets);
  }
  const safe = (text: unknown) => {
    if (typeof text !== 'string') return '';
    return isKnownMessage(text) ? text : redact(text, request, to.secrets);
  };
  throw failureOf(to, reply.status, value, waitOf(reply.headers), safe);
}

async function watched(
  to: RequestContext,
  request: Request,
  attempt: number,
  onExchange: OnExchange,
): Promise<Reply> {
  const started = performance.now();
  const about = (more: Pick<Exchange, 'status' | 'bytes' | 'date' | 'fault'>) =>
    onExchange({
      method: request.method,
      path: shownPath(request.path),
      attempt,
      milliseconds: performance.now() - started,
      ...more,
    });
  try {
    const reply = await send(to, request);
    about({ status: reply.status, bytes: reply.bytes, date: Date.parse(String(reply.headers.date)) });
    return reply;
  } catch (failure) {
    if (failure instanceof NetworkError) about({ fault: failure.fault });
    throw failure;
  }
}

function send({ transport, origin, unanswered }: RequestContext, request: Request): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const fail = ({ cause, sent }: SendFailure) =>
      reject(
        cause instanceof errors.InvalidArgumentError
          ? cause
          : toNetworkError(origin, cause, sent ? unanswered : 'none'),
      );
    transport.send(request, resolve, fail);
  });
}

function isAnswer(value: Record<string, unknown>, { answer, isList }: RequestContext): boolean {
  if (!answer) return true;
  const given = value[answer];
  return isList ? Array.isArray(given) && given.every(isRecord) : typeof given === 'string' && given !== '';
}

/**
 * §7.1: two body shapes, either of which may come from any endpoint (decision 3). `safe` is what may be shown of
 * the service's words.
 */
function failureOf(
  to: RequestContext,
  status: number,
  value: unknown,
  retryAfter: number | undefined,
  safe: (text: unknown) => string,
): Error {
  const body = isRecord(value) ? value : {};
  if (typeof body.error_code === 'string' && status !== 429 && status !== 503) {
    return new ApiError(safe(body.error_code), safe(body.error_msg), status);
  }
  if (isTokenError(body.error) && (status === 400 || status === 401 || body.error === 'insufficient_scope')) {
    const message = safe(body.error_description) || `${to.origin} gives no reason`;
    return new AuthenticationError(safe(body.error), message, status);
  }
  if (status === 429) {
    const message = `${to.origin} limits the rate of requests (429)`;
    return new NetworkError('unavailable', message, { effect: 'none', status, retryAfter });
  }
  if (status >= 500) {
    const message = `${to.origin}: the service or a gateway before it is failing (${status})`;
    return new NetworkError('unavailable', message, { effect: to.unanswered, status, retryAfter });
  }
  const message = `${to.origin}: the answer (${status}) is not one of the tenant user API; check the base URL`;
  // Who says that it went well, or where to see what became of it (303), may have carried it out.
  const effect = status < 300 || status === 303 ? to.unanswered : 'none';
  return new NetworkError('notTheApi', message, { effect, status });
}

/** `invalid_token` and its like; a framework's page says `"error": "Bad Request"`. */
function isTokenError(error: unknown): error is string {
  return typeof error === 'string' && /^[a-z_]+$/.test(error);
}

/** Milliseconds that a service is waited for at most, whatever it asks. */
const longestWait = 24 * 3_600_000;

/** `Retry-After` in both its forms, as milliseconds; a date goes by the clock of the service, which may differ from ours. */
function waitOf({ 'retry-after': after, date }: Reply['headers']): number | undefined {
  const text = String(after);
  const wait = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : timeOf(text) - (timeOf(String(date)) || Date.now());
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longestWait);
}

/** `NaN` for what has no time of day: `Date.parse` reads `-5` and `in 3000` as years. */
function timeOf(text: string): number {
  return /\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One HTTP exchange as it may be shown: no header, no body, no secret. */
export interface Exchange {
  method: string;
  /** With the value of every query field hidden that is not known to be harmless. */
  path: string;
  /** How many times the request has been sent with this one, from 1. */
  attempt: number;
  milliseconds: number;
  /** HTTP status; absent when there was no answer. */
  status?: number;
  /** Length of the answer's body. */
  bytes?: number;
  /** The clock of the service (`Date`), epoch milliseconds; `NaN` when it did not say. */
  date?: number;
  /** Why there was no answer. */
  fault?: NetworkFault;
}

/** Called with each exchange when it is over. */
export type OnExchange = (exchange: Exchange) => void;

/** Query fields of §4.2, which hold no secret. */
const harmless = new Set(['offset', 'limit', 'updated_at_greater', 'updated_at_less']);

/** A request's path as it may be shown; credentials may be in its query (§4.1), or where a user id belongs. */
function shownPath(path: string): string {
  const [plain = '', query] = path.split('?', 2);
  const head = hideOddIds(plain, hidden);
  if (query === undefined) return head;
  const fields = query.split('&').map((field) => {
    const [name = ''] = field.split('=', 1);
    return harmless.has(name) ? field : `${name}=${hidden}`;
  });
  return `${head}?${fields.join('&')}`;
}
