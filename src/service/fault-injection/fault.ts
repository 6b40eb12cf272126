import type { FastifyReply, FastifyRequest } from 'fastify';

/** A call to which an ending is applied; `payload` is set only after the handler. */
export interface EndingCall {
  request: FastifyRequest;
  reply: FastifyReply;
  payload?: unknown;
  /** Continues with another payload, or with an error; not called if the connection ends. */
  done(error: Error | null, payload?: string): void;
}

/** How a call ends instead of with its own answer. `afterCommit`: the handler ran first, and what it wrote stays. */
export interface Ending {
  afterCommit: boolean;
  apply(call: EndingCall): void;
}

/** What happens to one call. Delays in milliseconds, before the handler and between commit and answer. */
export interface Decision {
  delayBefore: number;
  delayAfter: number;
  ending?: Ending;
}

/** The call that a fault acts on. */
export interface FaultyCall {
  /** Epoch milliseconds. */
  now: number;
  /** Milliseconds since the script began. */
  elapsed: number;
  /** The bearer token, if the operation requires one and the call has one. */
  token: string | undefined;
  /** Returns the fault's own random numbers, from 0 up to but not including 1. */
  random(): number;
}

/** Returns what a fault adds to the decision about a call; `undefined` if it lets the call pass. */
export type Action = (call: FaultyCall) => Partial<Decision> | undefined;
