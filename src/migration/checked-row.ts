import type { HashAlgorithm } from '../contract/attributes.ts';
import type { HashedUser } from '../contract/wire.ts';
import type { Finding } from './finding-table.ts';

/** A row that can be sent. */
export interface ValidRow {
  row: number;
  line: number;
  user: HashedUser;
  /** An earlier run may have sent it: its user is looked for before it is sent. */
  isDoubtful?: boolean;
}

/** A row that is not sent, and why: at least one finding. */
export interface InvalidRow {
  row: number;
  line: number;
  user?: undefined;
  findings: readonly Finding[];
  /** What tells a person which user is meant; left out where it may be a hash in the wrong column. */
  userName: string | undefined;
  externalId: string | undefined;
  algorithm: HashAlgorithm | undefined;
}

/** A row after the checks; `user` tells the two apart. */
export type CheckedRow = ValidRow | InvalidRow;
