import type { HashedUser, User } from '../../contract/wire.ts';
import type { OwnersByKey } from '../actions/decide.ts';
import type { KeyField } from '../actions/keys.ts';

/** Says who has the keys of rows. */
export interface OwnerSource {
  /** The owners of the keys of these rows, in their order. Rejects where the tenant could not be asked. */
  find(rows: readonly HashedUser[], by?: KeyField): Promise<OwnersByKey[]>;
  /** True the first time that a row has this user, whom `find` gave, as its person: two rows cannot both be one. */
  claim(user: User): boolean;
}

/** A complete listing of a tenant. */
export interface ListedOwners extends OwnerSource {
  /** Users of the tenant. */
  readonly users: number;
  /** The users of whom no row has a key, in lists. */
  others(): Generator<User[], void>;
  /** Why the listing may lack users; empty where it does not. */
  readonly faults: readonly string[];
  /** How many users were changed or created since the listing began. */
  countChanged(): Promise<number>;
  close(): void;
}
