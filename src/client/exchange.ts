import { type Dispatcher, errors } from 'undici';
import { ApiError, AuthenticationError, type Effect, NetworkError, type NetworkFault } from './failures.ts';

/** One HTTP request. */
export interface Request {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Where a request goes, and what it means that no answer comes back. */
export interface Destination {
  dispatcher: Dispatcher;
  /** Named in messages; never the path, which may hold a secret (§4.1). */
  origin: string;
  /** Effect of a call that was sent and not answered: `none` where a repeat is harmless. */
  unanswered: Effect;
  /** A field that the answer must have. */
  answer?: string | undefined;
}

/** Sends a request; resolves to the JSON object of a 200, and throws one of the three failures otherwise. */
export async function exchange(to: Destination, request: Request): Promise<unknown> {
  const reply = await send(to, request);
  const value = parse(reply.text);
  if (reply.status === 200 && isRecord(value) && (!to.answer || to.answer in value)) return value;
  throw failureOf(to, reply.status, value, reply.retryAfter);
}

async function send(to: Destination, request: Request) {
  try {
    const reply = await to.dispatcher.request(request);
    const text = await reply.body.text();
    return { status: reply.statusCode, text, retryAfter: waitOf(reply.headers['retry-after']) };
  } catch (cause) {
    if (cause instanceof errors.InvalidArgumentError) throw cause;
    throw networkErrorOf(to, cause);
  }
}

/** §7.1: two body shapes, either of which may come from any endpoint (decision 3). */
function failureOf(to: Destination, status: number, value: unknown, retryAfter: number | undefined): Error {
  const body = isRecord(value) ? value : {};
  if (typeof body.error_code === 'string' && status !== 429 && status !== 503) {
    return new ApiError(body.error_code, textOf(body.error_msg), status);
  }
  if (isTokenError(body.error) && (status === 400 || status === 401)) {
    return new AuthenticationError(body.error, textOf(body.error_description), status);
  }
  if (status === 429) {
    const message = `${to.origin} limits the rate of requests (429)`;
    return new NetworkError('unavailable', message, { effect: 'none', status, retryAfter });
  }
  if (status >= 500) {
    const message = `${to.origin}: the service or a gateway before it is failing (${status})`;
    return new NetworkError('unavailable', message, { effect: to.unanswered, status, retryAfter });
  }
  const message = `${to.origin}: the answer (${status}) is not one of the tenant user API; is the base URL right?`;
  return new NetworkError('notTheApi', message, { effect: status === 200 ? to.unanswered : 'none', status });
}

/** `invalid_token` and its like; a framework's page says `"error": "Bad Request"`. */
function isTokenError(error: unknown): error is string {
  return typeof error === 'string' && /^[a-z_]+$/.test(error);
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused; is the service running there?',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
};

function networkErrorOf({ origin, unanswered }: Destination, cause: unknown): NetworkError {
  const code = codeOf(cause);
  const fault = (kind: NetworkFault, reason: string, effect: Effect) =>
    new NetworkError(kind, `${origin}: ${reason}`, { effect, cause });

  const reason = unreachable[code];
  if (reason) return fault('unreachable', reason, 'none');
  if (cause instanceof errors.ConnectTimeoutError || code === 'ETIMEDOUT') {
    return fault('timeout', 'no connection within the time limit', 'none');
  }
  if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError) {
    return fault('timeout', 'no answer within the time limit', unanswered);
  }
  if (/CERT|SSL|TLS|SIGN|ALTNAME/.test(code)) {
    return fault('tls', `the TLS certificate of the host is not accepted (${code})`, 'none');
  }
  return fault('interrupted', `the connection broke off (${code || 'no reason given'})`, unanswered);
}

/** `Retry-After` in both its forms, as milliseconds from now. */
function waitOf(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (!text) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(cause: unknown): string {
  if (!isRecord(cause)) return '';
  const inner = Array.isArray(cause.errors) ? cause.errors[0] : undefined;
  return textOf(cause.code ?? (isRecord(inner) ? inner.code : undefined));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
