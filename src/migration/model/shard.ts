/** One of several parts of a file, so that several machines can work on it: `2/3` is the second of three. */
export interface Shard {
  /** Number of the part, from 1. */
  index: number;
  of: number;
}

/** Returns the name of a shard, such as `2/3`. */
export function nameOfShard({ index, of }: Shard): string {
  return `${index}/${of}`;
}

/** Names the users of a job whom an undo has disabled. `shards`: names of the shards that were undone, if not the whole job was. */
export function undoneUsers(shards: readonly string[] = []): string {
  if (shards.length === 0) return 'its users';
  return `the users of its ${shards.length === 1 ? 'shard' : 'shards'} ${shards.join(' and ')}`;
}

/** True for the rows of a shard: every N-th row, so that shards do not overlap, are complete, and differ by at most one row. */
export function isOfShard(row: number, shard: Shard | undefined): boolean {
  return shard === undefined || (row - 1) % shard.of === shard.index - 1;
}

export function rowsOfShard(rows: number, shard: Shard | undefined): number {
  if (shard === undefined) return rows;
  return rows < shard.index ? 0 : Math.floor((rows - shard.index) / shard.of) + 1;
}
