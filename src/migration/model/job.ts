import type { Shard } from './shard.ts';

/** What a job is: the journal goes on only with the same. */
export interface Job {
  /**
   * Of a dry run and a rehearsal nothing was written to a tenant, so their journals may be replaced. A merge is what a
   * joined journal is until it is whole.
   */
  kind: 'import' | 'dry-run' | 'rehearsal' | 'merge';
  /** SHA-256 of the source's bytes, hex. */
  source: string;
  /** Name of the source, as it was given. */
  file: string;
  /** Data rows of the source. */
  rows: number;
  /** Digest of everything that changes what is sent: mapping, constants, key, flags. */
  plan: string;
  /** The tenant: what the profile or the flags came to. */
  target: Readonly<Record<string, string>>;
  shard: Shard | undefined;
}

/** What differs between two jobs, in words; empty when nothing does. */
export function driftOf(before: Job, now: Job): string[] {
  const drift: string[] = [];
  if (before.source !== now.source) drift.push(`the source was changed since (${before.file})`);
  if (before.plan !== now.plan)
    drift.push('mapping, constants or other options that change what is sent differ');
  return [...drift, ...targetDrift(before, now)];
}

/** What nothing excuses: whether and where users are made. */
export function targetDrift(before: Job, now: Job): string[] {
  const drift: string[] = [];
  if (before.kind !== now.kind) drift.push(`it was an ${before.kind}, and this is a ${now.kind}`);
  for (const name of new Set([...Object.keys(before.target), ...Object.keys(now.target)])) {
    const [was, is] = [before.target[name], now.target[name]];
    if (was !== is) drift.push(`${name} was ${was ?? 'not set'} and is ${is ?? 'not set'} now`);
  }
  const [was, is] = [shownShard(before.shard), shownShard(now.shard)];
  if (was !== is) drift.push(`the share was ${was} and is ${is} now`);
  return drift;
}

function shownShard(shard: Shard | undefined): string {
  return shard ? `${shard.index}/${shard.of}` : 'the whole file';
}
