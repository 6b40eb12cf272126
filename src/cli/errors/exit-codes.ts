import type { Explanation } from '../../contract/error-explanations.ts';

/** The exit codes by their meaning. Scripts rely on them, so a code never changes its meaning. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  configuration: 3,
  authentication: 4,
  notFound: 5,
  refused: 6,
  partlyDone: 7,
  stopped: 8,
  network: 9,
  incomplete: 10,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export const exitCodeOfSignal: Readonly<Record<string, number>> = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hungUp,
};

export type ExitName = keyof typeof exitCodes;

/** An error of this program itself, without a code of the API. */
export interface OwnError extends Omit<Explanation, 'retryable'> {
  message: string;
  /** Set if the same command can succeed later without a change. */
  retryable?: true;
  exit: ExitName;
}
