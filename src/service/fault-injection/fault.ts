/** How a struck call ends instead of with its own answer. */
export type Ending =
  /** Another answer; `afterCommit`: the handler ran first, and what it wrote stays. */
  | { kind: 'answer'; afterCommit: boolean; status: number; headers: Record<string, string>; body: string }
  /** The connection is reset. */
  | { kind: 'reset'; afterCommit: boolean }
  /** Half of the handler's answer, under a content length of the whole, then the connection ends. */
  | { kind: 'cut'; afterCommit: true }
  /** The bearer is refused with `invalid_token`, now and from now on. */
  | { kind: 'expired'; afterCommit: false };

/** What is done to one call. Delays in milliseconds, before the handler and between commit and answer. */
export interface Decision {
  delayBefore: number;
  delayAfter: number;
  ending?: Ending;
}

/** The call that a fault is about to strike. */
export interface Moment {
  /** Epoch milliseconds. */
  now: number;
  /** Milliseconds since the script began. */
  elapsed: number;
  /** The bearer, where the operation asks for one and the call has one. */
  token: string | undefined;
  /** The fault's own random numbers from 0 to 1, 1 excluded. */
  random(): number;
}

/** What a fault adds to the verdict over a call; `undefined` when it lets the call pass. */
export type Action = (moment: Moment) => Partial<Decision> | undefined;

/** Is the call of this number, from 1, struck? */
export type Condition = (call: number, random: () => number) => boolean;

/** One entry of a fault script. */
export interface Fault {
  /** Operations it is about; `undefined` means every one. */
  operations: ReadonlySet<string> | undefined;
  /** All must hold; none means every call. */
  conditions: readonly Condition[];
  deed: Action;
}

/** A fault script that was read. Its faults keep state: read it again for another run. */
export interface FaultScript {
  seed: number;
  faults: readonly Fault[];
}
