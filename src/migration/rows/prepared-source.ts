import type { SourceRecord } from '../model/source-record.ts';
import type { Source } from '../source/open-source.ts';
import type { IssueCause } from './issues.ts';

/** A record whose cells may have been turned by a recipe. */
export interface PreparedRecord extends SourceRecord {
  /** What the recipe could not read. */
  causes?: readonly IssueCause[];
  /** The recipe leaves it out. */
  isSkipped?: true;
  /** A column that the recipe does not use has a salt. */
  isSalted?: true;
  /** Its user is disabled after the create. */
  isDisabled?: true;
}

/** What a recipe has done to a source. */
export interface AppliedRecipe {
  name: string;
  /** SHA-256 of what it does, in hex. */
  digest: string;
  /** What each column of the API is made from, as the file calls it. */
  columnNames: readonly string[];
  /** Columns of the file that it does not use. */
  ignored: readonly string[];
  /** Algorithms are found by the form of each hash. */
  infers: boolean;
  /** What all hashes are, where the API takes none of them. */
  foreignKind: string | undefined;
  foreignHashes: 'reject' | 'passwordless';
}

/** A source whose records are ready to be checked as rows. */
export interface PreparedSource extends Omit<Source, 'readRows'> {
  recipe?: AppliedRecipe;
  readRows(): Promise<AsyncGenerator<readonly PreparedRecord[], void>>;
}
