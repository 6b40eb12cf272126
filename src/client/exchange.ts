import { errors } from 'undici';
import type { Reply, Request } from '../contract/exchange.ts';
import { isRecord } from '../contract/is-record.ts';
import { hideOddIds, type Operation, operations } from '../contract/operations.ts';
import { isDeeper, parseJson } from '../contract/parse-json.ts';
import { onOneLine } from '../text/printable.ts';
import { hidden } from '../text/redact.ts';
import { ApiError, AuthenticationError, type Effect, NetworkError, type NetworkFault } from './errors.ts';
import { toNetworkError } from './network-error.ts';
import { isKnownMessage, mayRepeat, redact, redactValue } from './redact.ts';
import { CrossedAnswerError, type SendFailure, type Transport } from './transport/transport.ts';

/** What all requests of a client share. */
export interface RequestContext {
  transport: Transport;
  /** Shown in messages, unlike the path, which may contain a secret (§4.1). */
  origin: string;
  /** Secrets that no answer may show, in addition to those of its own request. */
  secrets: readonly string[];
  /** Called when the exchange is over. */
  onExchange?: OnExchange | undefined;
}

/**
 * Sends a request; resolves to the JSON object of a success, and rejects with an `ApiError`, `AuthenticationError` or `NetworkError`
 * otherwise. `attempt` counts from 1. Not an async function, so that a waiting request takes little memory.
 */
export function exchange<T>(
  to: RequestContext,
  operation: Operation,
  request: Request,
  attempt: number,
): Promise<T> {
  const unanswered = effectOf(operation);
  const reply = to.onExchange
    ? watched(to, unanswered, request, attempt, to.onExchange)
    : send(to, unanswered, request);
  return reply.then((answer) => read(answer, to, operation, request) as T);
}

/** Effect of a call that was sent but not answered: `none` if the call can be repeated safely. */
function effectOf({ repeatable }: Operation): Effect {
  return repeatable ? 'none' : 'unknown';
}

/** Levels of an answer: those of the API have four, and others few more. */
const mostLevels = 100;

/** Returns the JSON object of a success; throws an `ApiError`, `AuthenticationError` or `NetworkError` otherwise. */
function read(reply: Reply, to: RequestContext, operation: Operation, request: Request): unknown {
  const parsed = operation.isUnknown && reply.text === '' ? {} : parseJson(reply.text);
  const value = isDeeper(parsed, mostLevels) ? undefined : parsed;
  if (isSuccess(reply.status, operation) && isAnswer(value, operation)) {
    if (isOfOther(value, operation))
      throw toNetworkError(to.origin, new CrossedAnswerError(), effectOf(operation));
    // If no field is required, the caller shows the whole answer, whatever it contains.
    const isSafe = operation.answer !== undefined && !mayRepeat(value, reply.text, request, to.secrets);
    return isSafe ? value : redactValue(value, request, to.secrets);
  }
  const safe = (text: unknown) => {
    if (typeof text !== 'string') return '';
    return isKnownMessage(text) ? text : onOneLine(redact(text, request, to.secrets));
  };
  throw failureOf(to.origin, operation, reply.status, value, waitOf(reply.headers), safe);
}

async function watched(
  to: RequestContext,
  unanswered: Effect,
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
    const reply = await send(to, unanswered, request);
    about({ status: reply.status, bytes: reply.bytes, date: Date.parse(String(reply.headers.date)) });
    return reply;
  } catch (failure) {
    if (failure instanceof NetworkError) about({ fault: failure.fault });
    throw failure;
  }
}

function send({ transport, origin }: RequestContext, unanswered: Effect, request: Request): Promise<Reply> {
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

function isSuccess(status: number, { isUnknown }: Operation): boolean {
  return isUnknown ? status >= 200 && status < 300 : status === 200;
}

/** An answer with a code of an error is none, whatever else it has: some services answer 200 to every call. */
function isAnswer(value: unknown, operation: Operation): boolean {
  const { answer, isUnknown } = operation;
  if (!isRecord(value)) return isUnknown === true && Array.isArray(value);
  if (typeof value.error_code === 'string' && !noError.test(value.error_code)) return false;
  return answer ? hasField(value, operation) : isUnknown || Object.keys(value).length > 0;
}

/** What stands for no error in the code that some services send with every answer. */
const noError = /^(?:0*|ok|success)$/i;

/** True if an answer has the field that every answer of its operation has. */
function hasField(value: Record<string, unknown>, { answer = '', isList }: Operation): boolean {
  const given = value[answer];
  return isList ? Array.isArray(given) && given.every(isRecord) : typeof given === 'string' && given !== '';
}

/** True if an answer is about another user than the call: a cache or a proxy without request ids mixes answers up. */
function isOfOther(value: unknown, { userId }: Operation): boolean {
  if (userId === undefined || !isRecord(value)) return false;
  return String(value.user_id).toUpperCase() !== userId.toUpperCase();
}

/**
 * Handles both error bodies of §7.1, either of which may come from any endpoint (decision 3). `safe` redacts texts of the service.
 */
function failureOf(
  origin: string,
  operation: Operation,
  status: number,
  value: unknown,
  retryAfter: number | undefined,
  safe: (text: unknown) => string,
): Error {
  const body = isRecord(value) ? value : {};
  const unanswered = effectOf(operation);
  if (typeof body.error_code === 'string' && status !== 429 && status !== 503) {
    const details = {
      isRepeatable: unanswered === 'none',
      isAlsoSuccess: isSuccess(status, operation) && hasField(body, operation),
    };
    return new ApiError(safe(body.error_code), safe(body.error_msg), status, details);
  }
  if (isTokenError(body.error) && (status === 400 || status === 401 || body.error === 'insufficient_scope')) {
    const message = safe(body.error_description) || `${origin} gives no reason`;
    return new AuthenticationError(safe(body.error), message, status);
  }
  if (status === 401) {
    const [code, what] =
      operation === operations.obtainToken ? ['invalid_client', 'credentials'] : ['invalid_token', 'token'];
    const message = `${origin} rejects the ${what} (401) without a code of the API: a gateway before the service may do so, or it is another service`;
    return new AuthenticationError(code, message, status);
  }
  const fault = faults[status] ?? (status >= 500 ? 'failing' : 'notTheApi');
  if (fault === 'throttled') {
    const message = `${origin} limits the rate of requests (${status})`;
    return new NetworkError(fault, message, { effect: 'none', status, retryAfter });
  }
  if (fault !== 'notTheApi') {
    const message = `${origin}: the service or a gateway before it is failing (${status})`;
    return new NetworkError(fault, message, { effect: unanswered, status, retryAfter });
  }
  const message = `${origin}: the answer (${status}) is not one of the tenant user API; check the base URL`;
  // A success, or a 303 that points to the result, may mean that the call was carried out.
  const effect = status < 300 || status === 303 ? unanswered : 'none';
  return new NetworkError(fault, message, { effect, status });
}

/** What a status means if the answer has no code of the API. */
const faults: Readonly<Record<number, NetworkFault>> = {
  408: 'unavailable',
  429: 'throttled',
  502: 'unavailable',
  503: 'busy',
  504: 'unavailable',
};

/** True for codes such as `invalid_token`, but not for a framework's `"error": "Bad Request"`. */
function isTokenError(error: unknown): error is string {
  return typeof error === 'string' && /^[a-z_]+$/.test(error);
}

/** Longest wait in milliseconds, whatever the service asks for. */
const longestWait = 24 * 3_600_000;

/** Returns `Retry-After`, a number or a date, as milliseconds. Dates go by the clock of the service, which may differ from ours. */
function waitOf({ 'retry-after': after, date }: Reply['headers']): number | undefined {
  const text = String(after);
  const wait = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : timeOf(text) - (timeOf(String(date)) || Date.now());
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longestWait);
}

/** Returns `NaN` for a text without a time of day: `Date.parse` reads `-5` and `in 3000` as years. */
function timeOf(text: string): number {
  return /\d\d:\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}

/** One HTTP exchange, safe to show: no headers, no body, no secrets. */
export interface Exchange {
  method: string;
  /** Query values are hidden, except those known to be harmless. */
  path: string;
  /** Number of the attempt, from 1. */
  attempt: number;
  milliseconds: number;
  /** HTTP status; absent if there was no answer. */
  status?: number;
  /** Length of the answer's body. */
  bytes?: number;
  /** Time by the clock of the service (`Date`), in epoch milliseconds; `NaN` if the answer has none. */
  date?: number;
  /** Why there was no answer. */
  fault?: NetworkFault;
}

/** Called when an exchange is over. */
export type OnExchange = (exchange: Exchange) => void;

/** Query fields of §4.2, which contain no secrets. */
const harmless = new Set(['offset', 'limit', 'updated_at_greater', 'updated_at_less']);

/** Returns a path that is safe to show: credentials may be in its query (§4.1), or where a user id belongs. */
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
