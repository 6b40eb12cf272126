import type { NetworkFault } from './failures.ts';

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
  /** The clock of the service (`Date`), epoch milliseconds; `NaN` when it told no time. */
  date?: number;
  /** Why there was no answer. */
  fault?: NetworkFault;
}

/** Is told of each exchange when it is over. */
export type OnExchange = (exchange: Exchange) => void;

/** Query fields of §4.2, which hold no secret. */
const harmless = new Set(['offset', 'limit', 'updated_at_greater', 'updated_at_less']);

/** A request's path as it may be shown; credentials may be in its query (§4.1). */
export function shownPath(path: string): string {
  const [head = '', query] = path.split('?', 2);
  if (query === undefined) return head;
  const fields = query.split('&').map((field) => {
    const [name = ''] = field.split('=', 1);
    return harmless.has(name) ? field : `${name}=***`;
  });
  return `${head}?${fields.join('&')}`;
}
