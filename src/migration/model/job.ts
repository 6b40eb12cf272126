import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { realDatabase } from '../../text/locations/real-path.ts';
import { quotePath, takeOptions, withOptions } from '../../text/shell-quote.ts';
import { nameOfShard, type Shard } from './shard.ts';

/**
 * A dry run and a rehearsal write nothing to a tenant, so their journals may be replaced. A `merge` is a merged journal until it is
 * complete. Nothing in a `plan` can be retried or started over.
 */
export const jobKinds = ['import', 'dry-run', 'rehearsal', 'merge', 'plan'] as const;

/** Identifies a job: a run resumes a journal only if it is of the same job. */
export interface Job {
  kind: (typeof jobKinds)[number];
  /** SHA-256 of the source's bytes, hex. */
  source: string;
  /** Name of the source, as it was given. */
  file: string;
  /** Data rows of the source, and `others`. */
  rows: number;
  /** Users who are in no row of the source, and of whom a plan says something. */
  others?: number;
  /** Digest of all options that change what is sent: mapping, constants, key, flags. For a plan: the digest of the plan. */
  optionsDigest: string;
  /** The recipe that turned the records of the source into rows. */
  recipe?: { name: string; digest: string };
  /** Number of its open questions, if there are any: only a trial can have some. */
  open?: number;
  /** The tenant, as resolved from the profile or the flags. */
  target: Readonly<Record<string, string>>;
  shard: Shard | undefined;
}

/** The warning whose acceptance is for the rows of one run: with it, a row of a later run could create a user a second time. */
export const acceptedOnce = 'KEY_CHANGED';

/**
 * What a run does with what earlier runs of its job left; by default it goes on. `restart`: archives the journal, and starts over.
 * `only failed`: also retries what failed; the file may have been corrected since. `only unanswered`: looks up rows that may have been
 * sent and have no outcome, and sends nothing.
 */
export type RunMode = 'restart' | 'only failed' | 'only unanswered';

/** The command line of an import, as words quoted for a shell. */
export interface CommandLine {
  /** All words except the name of the program and the options for one run only. */
  words: readonly string[];
  /** It had --restart. */
  isRestart?: boolean;
  /** It had --only unanswered. */
  isAsking?: boolean;
  /** The directory where it was given, which its paths may be relative to; left out in earlier records. */
  from?: string;
  /** Further options that a rehearsal needs. */
  rehearsal: readonly string[];
  /** Options that select the tenant; they are also part of `words`. */
  connection: readonly string[];
  /** Options that give consent in a script before a tenant is written to for the first time. */
  consent: readonly string[];
  /** Options of the import after a trial whose records went elsewhere, because the usual directory holds those of an import. */
  afterTrial?: readonly string[];
  /** The words of the command that makes a recipe of the file; left out if it is read by a recipe of somebody's own. */
  recipe?: readonly string[];
}

/** True for a job that writes to a tenant: its journal is never replaced without a copy. */
export function isRealJob(kind: Job['kind'] | undefined): boolean {
  return kind === 'import' || kind === 'merge' || kind === 'plan';
}

/** True if the command line was given in another directory than the current one. */
export function isFromElsewhere({ from }: Pick<CommandLine, 'from'>): boolean {
  return from !== undefined && from !== resolve('');
}

/** Returns a command of the program that does what it would do where the command line was given. */
export function commandThere(command: Pick<CommandLine, 'from'>, words: readonly string[]): string {
  const there = isFromElsewhere(command) ? `cd ${quotePath(command.from ?? '')} && ` : '';
  return `${there}tenant-users ${words.join(' ')}`;
}

/** Options of an import that a plan does not have. */
const ofImport = {
  '--canary': true,
  '--job': true,
  '--max-failures': true,
  '--ramp': true,
  '--shard': true,
  '--window': true,
};

/** Returns the command that makes a plan of the file of an import, as that reads it. */
export function planCommand(command: CommandLine, options: readonly string[]): string {
  const { kept } = takeOptions(command.words, ofImport);
  const words = kept.with(kept.indexOf('import-hashes'), 'plan');
  return commandThere(command, withOptions(words, options));
}

/** Returns the command that runs an import again with these options, and those of consent if nobody has agreed to write yet. */
export function rerunCommand(
  command: CommandLine,
  rerun: readonly string[],
  { dry_run: isDry, rehearsal: wasRehearsal }: { dry_run: boolean; rehearsal: boolean },
): string {
  const { words, rehearsal, consent, afterTrial = [] } = command;
  const isTrial = rerun.includes('--dry-run') || rerun.includes('--rehearse');
  const isFirst = (isDry || wasRehearsal) && !isTrial;
  const first = isFirst ? [...afterTrial, ...consent] : [];
  const more = [...rerun, ...(rerun.includes('--rehearse') ? rehearsal : []), ...first];
  // An option that is given twice is refused: what is added replaces an earlier value.
  const { kept } = takeOptions(words, withValue(more));
  return commandThere(command, withOptions(kept, more));
}

/** The options among these words that a value follows, as `takeOptions` takes them. */
function withValue(words: readonly string[]): Record<string, boolean> {
  const isOption = (word = '--') => word.startsWith('--');
  return Object.fromEntries(
    words.filter((word, at) => isOption(word) && !isOption(words[at + 1])).map((name) => [name, true]),
  );
}

/** A command that has started a job over, or has only asked, is not the one that goes on, although a text says so. */
export function ofNextRun(
  text: string,
  { isRestart, isAsking }: Pick<CommandLine, 'isRestart' | 'isAsking'> = {},
): string {
  const option = isRestart ? '--restart' : isAsking ? '--only unanswered' : undefined;
  return option === undefined ? text : text.replace(/the same command/gi, `$& without ${option}`);
}

const kindNames = {
  import: 'an import',
  'dry-run': 'a dry run',
  rehearsal: 'a rehearsal',
  merge: 'a merge',
  plan: 'the application of a plan',
} as const satisfies Record<Job['kind'], string>;

/** Returns what differs between two jobs, in words; empty if nothing does. */
export function driftOf(before: Job, now: Job): string[] {
  const drift: string[] = [];
  if (before.source !== now.source) drift.push(`the source has changed since (${before.file})`);
  if (before.optionsDigest !== now.optionsDigest) drift.push(optionsDrift(before.recipe, now.recipe));
  return [...drift, ...targetDrift(before, now)];
}

/** A new version may change a built-in recipe, so the message must say how to go on with the same command. */
function optionsDrift(was: Job['recipe'], is: Job['recipe']): string {
  if (was?.name !== is?.name || was?.digest === is?.digest)
    return 'the mapping, constants or other options that affect what is sent differ';
  return `the recipe ${is?.name} has changed; if it is built in, print the old one with recipe show in the version that started the job, and give it with --recipe`;
}

/**
 * The tenant in the records of a directory, as a run names it: a local database by its real path. Earlier records have the path as it
 * was typed. Then it begins where the directory lies, which is so unless an option named the directory.
 */
export function storedTarget(target: Job['target'], directory: string): Job['target'] {
  const { database } = target;
  if (database === undefined) return target;
  const found = realDatabase(database, dirname(resolve(directory)));
  // Where nothing lies, the path began elsewhere.
  return isRelative(database) && !existsSync(found) ? target : { ...target, database: found };
}

/** True for the path of a database that begins in the directory of a run. */
const isRelative = (database: string) => !isAbsolute(database) && realDatabase(database) !== database;

const elsewhere =
  ' (in the directory where the run was started: if that is the same file, run the command there)';

/** True for a database of earlier records whose path leads to the current one from here, where the same command was given before. */
const isFoundHere = (name: string, was: string | undefined, is: string | undefined) =>
  name === 'database' && was !== undefined && realDatabase(was) === is;

/** Returns how two tenants differ, in words; empty if they are one. */
export function tenantDrift(before: Job['target'], now: Job['target']): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names]
    .filter((name) => before[name] !== now[name] && !isFoundHere(name, before[name], now[name]))
    .map((name) => {
      const was = before[name];
      const from = was !== undefined && name === 'database' && isRelative(was) ? elsewhere : '';
      return `${name} was ${was ?? 'not set'}${from} and is ${now[name] ?? 'not set'} now`;
    });
}

/** True for the target of a job at a service, which can get another address and other applications; a local database cannot. */
export const isRemote = ({ base_url: address }: Job['target']) => address !== undefined;

/**
 * What to do if a job went to another address or application, which may be of the same tenant; `undefined` for a local database.
 * `connection`: options that select the tenant, if not those of the current command line.
 */
export function adviseRetarget(
  directory: string,
  before: Job['target'],
  now: Job['target'],
  connection: CommandLine['connection'] = [],
): string | undefined {
  if (!isRemote(before) || !isRemote(now) || tenantDrift(before, now).length === 0) return undefined;
  return `If it is the same tenant, which has a new address or application, its job can go on there after:
  tenant-users ${['job', 'retarget', quotePath(directory), ...connection].join(' ')}
If it is another tenant, select the profile of the job with --profile.`;
}

/** Returns differences that no option allows: whether and where users are created. */
export function targetDrift(before: Job, now: Job): string[] {
  const drift: string[] = [];
  if (before.kind !== now.kind)
    drift.push(`it was ${kindNames[before.kind]}, and this is ${kindNames[now.kind]}`);
  drift.push(...tenantDrift(before.target, now.target));
  const [was, is] = [shownShard(before.shard), shownShard(now.shard)];
  if (was !== is) drift.push(`the shard was ${was} and is ${is} now`);
  return drift;
}

function shownShard(shard: Shard | undefined): string {
  return shard ? nameOfShard(shard) : 'the whole file';
}
