import type { Job } from '../../../src/migration/model/job.ts';

/** A job of a whole file. */
export const job: Job = {
  kind: 'import',
  source: 'a'.repeat(64),
  file: 'users.csv',
  rows: 5001,
  optionsDigest: 'b'.repeat(64),
  target: {},
  shard: undefined,
};
