import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathIn } from '../../migration/directory/job-files.ts';
import type { Shard } from '../../migration/model/shard.ts';
import type { CommandContext } from '../context/context.ts';
import type { RunBegun } from './log-line.ts';
import { type LogEntry, readLog } from './read-log.ts';

/** The properties of a planned import that are compared with those of earlier runs. */
interface PlannedImport {
  /** SHA-256 of the bytes of its file, in hex. */
  source: string;
  target: Readonly<Record<string, string>>;
  shard: Shard | undefined;
  directory: string;
}

/** An earlier import that sent rows, or may have sent some. */
export interface EarlierImport {
  /** `plan` if a plan was applied. */
  kind: RunBegun['kind'];
  time: string;
  directory: string;
  /** True if its journal still exists, so that it can be resumed. */
  hasJournal: boolean;
  /** True if the planned job has an unfinished journal of its own, and this import ran after that job's last run. */
  isSince: boolean;
}

/**
 * Finds the latest import of the same file into the same tenant by this account on this machine that the planned job
 * does not know of: its directory differs, was deleted since, or was last used before. Throws a `ConfigurationError`.
 */
export function findEarlierImport(
  context: CommandContext,
  { source, target, shard, directory }: PlannedImport,
): EarlierImport | undefined {
  const isSince = existsSync(pathIn(directory, 'journal.db'));
  const own = resolve(directory);
  let found: EarlierImport | undefined;
  const wanted = sorted(target);
  // Both log lines of a run have this key. The many lines about single users do not, and need not be parsed.
  const isOfRun = (line: string) => line.includes('"rows":');
  for (const entries of readLog(context, () => {}, isOfRun)) {
    for (const entry of entries) {
      const { begun } = entry;
      if (!('source' in begun) || begun.source !== source || sorted(begun.target) !== wanted) continue;
      if (isSince && begun.directory === own) return entry.ended?.outcome === 'finished' ? undefined : found;
      if (found || areDisjoint(begun.shard, shard) || !begun.is_sending || hasSentNothing(entry)) continue;
      const { kind, time, directory: before } = begun;
      const hasJournal = existsSync(pathIn(before, 'journal.db'));
      // A directory without its journal may have been renamed to this job's directory, which has one.
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

/** True if no row of the run became a user or has an unknown outcome. False if the log has no end of the run. */
function hasSentNothing({ ended }: LogEntry): boolean {
  const rows = ended?.rows;
  return rows !== undefined && !rows.created && !rows.existing && !rows.unknown && !ended?.not_disabled;
}
