/** How a call ends instead of with its own answer. */
export type Ending =
  /** Another answer; `afterCommit`: the handler ran first, and what it wrote stays. */
  | { kind: 'answer'; afterCommit: boolean; status: number; headers: Record<string, string>; body: string }
  /** The connection is reset. */
  | { kind: 'reset'; afterCommit: boolean }
  /** Half of the handler's answer, under a content length of the whole, then the connection ends. */
  | { kind: 'cut'; afterCommit: true }
  /** The bearer is rejected with `invalid_token`, now and from now on. */
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
  /** The bearer, where the operation asks for one and the call has one. */
  token: string | undefined;
  /** The fault's own random numbers from 0 to 1, 1 excluded. */
  random(): number;
}

/** What a fault adds to the decision about a call; `undefined` when it lets the call pass. */
export type Action = (call: FaultyCall) => Partial<Decision> | undefined;

/** Does the fault apply to the call of this number, counted from 1? */
export type Condition = (number: number, random: () => number) => boolean;

/** One entry of a fault script. */
export interface Fault {
  /** Operations that it applies to; `undefined` means every one. */
  operations: ReadonlySet<string> | undefined;
  /** All must hold; an empty list means every call. */
  conditions: readonly Condition[];
  action: Action;
}

/** A fault script that was read. Its faults have state, so it must be read again for another run. */
export interface FaultScript {
  seed: number;
  faults: readonly Fault[];
}
