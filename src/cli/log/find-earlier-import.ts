import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathIn } from '../../migration/directory/job-files.ts';
import type { Shard } from '../../migration/model/shard.ts';
import type { CommandContext } from '../context/context.ts';
import type { RunBegun } from './log-line.ts';
import { type LogEntry, readLog } from './read-log.ts';

/** What an import is about to do, as far as an earlier one is known by it. */
interface PlannedImport {
  /** SHA-256 of the source's bytes, hex. */
  source: string;
  target: Readonly<Record<string, string>>;
  shard: Shard | undefined;
  directory: string;
}

/** An import that has sent rows, or may have. */
export interface EarlierImport {
  /** `plan`: it was the application of a plan. */
  kind: RunBegun['kind'];
  time: string;
  directory: string;
  /** Its journal is there: the import can go on with it. */
  hasJournal: boolean;
  /** The job directory has a journal of its own, which has rows left and does not know what was sent since. */
  isSince: boolean;
}

/**
 * Finds the latest import of the same file into the same tenant that this account made on this machine, where the job
 * directory does not know of it: because it is another one, was deleted since, or was used before. Throws a `ConfigurationError`.
 */
export function findEarlierImport(
  context: CommandContext,
  { source, target, shard, directory }: PlannedImport,
): EarlierImport | undefined {
  const isSince = existsSync(pathIn(directory, 'journal.db'));
  const own = resolve(directory);
  let found: EarlierImport | undefined;
  const wanted = sorted(target);
  // Both lines of a run have it, and those of single users, which are many, have not.
  const isOfRun = (line: string) => line.includes('"rows":');
  for (const entries of readLog(context, () => {}, isOfRun)) {
    for (const entry of entries) {
      const { begun } = entry;
      if (!('source' in begun) || begun.source !== source || sorted(begun.target) !== wanted) continue;
      if (isSince && begun.directory === own) return entry.ended?.outcome === 'finished' ? undefined : found;
      if (found || areDisjoint(begun.shard, shard) || !begun.is_sending || hasSentNothing(entry)) continue;
      const { kind, time, directory: before } = begun;
      const hasJournal = existsSync(pathIn(before, 'journal.db'));
      // A directory that is not there any more may be this one, by another name.
      if (hasJournal || !isSince) found = { kind, time, directory: before, hasJournal, isSince };
      if (found && !isSince) return found;
    }
  }
  return found;
}

const sorted = (target: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(target).sort());

function areDisjoint(one: Shard | undefined, other: Shard | undefined): boolean {
  return one !== undefined && other !== undefined && one.of === other.of && one.index !== other.index;
}

/** A run whose end is not known may have sent anything. */
function hasSentNothing({ ended }: LogEntry): boolean {
  const rows = ended?.rows;
  return rows !== undefined && !rows.created && !rows.existing && !rows.unknown;
}
