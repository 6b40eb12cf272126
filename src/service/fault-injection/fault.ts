/** How a call ends instead of with its own answer. */
export type Ending =
  /** Another answer; `afterCommit`: the handler ran first, and what it wrote stays. */
  | { kind: 'answer'; afterCommit: boolean; status: number; headers: Record<string, string>; body: string }
  /** The connection is reset. */
  | { kind: 'reset'; afterCommit: boolean }
  /** Half of the handler's answer is sent with the content length of the whole, then the connection ends. */
  | { kind: 'cut'; afterCommit: true }
  /** The bearer token is rejected with `invalid_token`, now and in all later calls. */
  | { kind: 'expired'; afterCommit: false };

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

/** True if the fault applies to the call of this number, counted from 1. */
export type Condition = (number: number, random: () => number) => boolean;

/** One entry of a fault script. */
export interface Fault {
  /** Operations that the fault applies to; `undefined` means all. */
  operations: ReadonlySet<string> | undefined;
  /** All conditions must hold; an empty list means every call. */
  conditions: readonly Condition[];
  action: Action;
}

/** A parsed fault script. Its faults have state, so it must be parsed again for another run. */
export interface FaultScript {
  seed: number;
  faults: readonly Fault[];
}
