import type { HashAlgorithm } from '../contract/attributes.ts';

/** What became of a row. */
export type Outcome = RowPlace & (Created | NotCreated | Pending);

/** Which row, and which user as far as the row says. */
export interface RowPlace {
  row: number;
  line: number;
  userName: string | undefined;
  externalId: string | undefined;
  algorithm: HashAlgorithm | undefined;
}

interface Created {
  result: 'created';
  userId: string;
}

/**
 * `failed`: refused by the API or never sent. `invalid`: findings stand against it. `unknown`: sent, no answer.
 * `code` is one of the API, or of the `findingTable`.
 */
export interface NotCreated {
  result: 'failed' | 'invalid' | 'unknown';
  code: string;
  message: string;
  hint: string;
}

/** Good, and not written: a dry run sends nothing, and credentials that are not accepted stop a run. */
interface Pending {
  result: 'pending';
}
