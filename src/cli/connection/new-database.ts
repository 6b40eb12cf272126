import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { InputOptions } from '../../migration/input/open-input.ts';
import { isMissingFile } from '../../text/database-location.ts';
import { quoteWord } from '../../text/shell-quote.ts';
import { isDefaultDatabase, readTargetSettings, type Settings, type Sourced } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { say } from '../output/show.ts';

/**
 * Says if a database is created, unless it is the default one: a mistyped name must not look like an empty tenant. Throws as
 * `requireDatabasePlace` does.
 */
export function sayWhenNew(context: CommandContext, local: Sourced, profile: string): void {
  requireDatabasePlace(context, local, profile);
  if (isMissingFile(local.value) && !isDefaultDatabase(context, local.value))
    say(context, `New empty database: ${local.value}`);
}

/**
 * Opens a file of users before an empty database is made for it, if there is none yet: the database would be left behind. Resolves to
 * the open file, which is closed when the command ends. Rejects with a `SourceError` if it cannot be read.
 */
export async function openBeforeDatabase(context: CommandContext, file: string, options: InputOptions) {
  const { local } = readTargetSettings(context);
  if (!local || !isMissingFile(local.value)) return undefined;
  const { openInput } = await import('../../migration/input/open-input.ts');
  const opened = await openInput(file, { ...options, signal: context.signal });
  context.onExit(() => opened.source.close());
  return opened;
}

/** Throws a `ConfigurationError` if the embedded service has no database yet: records of an earlier job are never about an empty one. */
export function requireEarlierDatabase({ local }: Settings): void {
  if (!local || !isMissingFile(local.value)) return;
  throw new ConfigurationError(
    `there is no database ${local.value}, and these records are of one that has users`,
    'Correct its name, or put it back.',
  );
}

/**
 * Throws a `ConfigurationError` if there is no database and none may be created. The database of a profile was created at login,
 * so a missing one is an error. The directory of any other must exist, unless it is the default database. `profile`: the name
 * of the profile in use.
 */
export function requireDatabasePlace(context: CommandContext, { value, origin }: Sourced, profile: string) {
  if (!isMissingFile(value)) return;
  if (origin === 'profile') {
    const login = `tenant-users login --profile ${quoteWord(profile)} --local ${quoteWord(value)}`;
    throw new ConfigurationError(
      `the database ${value} of profile ${JSON.stringify(profile)} does not exist`,
      `Put it back, or make a new one: ${login}`,
    );
  }
  requireDirectory(context, value, origin === 'flag' ? '--local' : 'TENANT_USERS_LOCAL');
}

/**
 * Throws a `ConfigurationError` if neither a database nor its directory exists, unless it is the default one: its name may be mistyped.
 * `named`: what to correct then.
 */
export function requireDirectory(context: CommandContext, database: string, named: string): void {
  if (!isMissingFile(database) || isDefaultDatabase(context, database)) return;
  const directory = dirname(database);
  if (existsSync(directory)) return;
  throw new ConfigurationError(
    `there is no directory ${directory} for the database ${database}`,
    `Correct ${named}, or run: mkdir -p ${quoteWord(directory)}`,
  );
}
