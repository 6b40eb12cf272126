import { ApiError } from '../../client/errors.ts';
import type { AuditEvent } from '../../contract/audit-line.ts';
import { CodedError } from '../../contract/coded-error.ts';
import { shownDatabase } from '../../text/database-location.ts';
import { defaultDatabase, readSettings } from '../config/settings.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError, UsageError } from '../errors/errors.ts';
import { reasonOf } from '../errors/system-fault.ts';
import { requireYes } from '../input/prompts.ts';
import { say } from '../output/show.ts';
import { audited } from './audit.ts';
import { warnUnencrypted } from './embedded-service.ts';

/**
 * Runs `work` on the embedded database: that of `--local`, of the environment, of a local profile, or the default one. `what`: the
 * subject of the command. Throws a `ConfigurationError` if the database cannot be used, a `UsageError` for a remote service.
 */
export async function onLocalDatabase<Result>(
  context: CommandContext,
  what: string,
  work: (location: string) => Promise<Result>,
): Promise<{ shown: string; result: Result }> {
  const location = locate(context, what);
  return { shown: shownDatabase(location), result: await using(location, work) };
}

/** A change that a command makes in the local service. */
export interface LocalChange<Result> {
  /** The subject of the command, such as `signing keys`. */
  what: string;
  event: AuditEvent['event'];
  /** Confirmation to ask for before anything is done. */
  question?: string | undefined;
  /** Facts about the result for the audit log. */
  factsOf?: (result: Result) => Partial<AuditEvent>;
}

/** Changes the embedded database: names it first, asks `question` if there is one, and writes the change to the audit log. */
export async function changeLocalDatabase<Result>(
  context: CommandContext,
  { what, event, question, factsOf }: LocalChange<Result>,
  work: (location: string) => Promise<Result>,
): Promise<Result> {
  const location = locate(context, what);
  say(context, `Target: database ${shownDatabase(location)}`);
  if (question !== undefined) await requireYes(context, question, 'nothing was changed');
  return using(location, () => audited(context, location, { event }, () => work(location), factsOf));
}

function locate(context: CommandContext, what: string): string {
  if (context.options.baseUrl !== undefined) {
    throw new UsageError(
      `${what} are for the local service only`,
      'Remove --base-url; use --local DATABASE to name a database.',
    );
  }
  const location = readSettings(context).local?.value ?? defaultDatabase(context);
  warnUnencrypted(context, location);
  return location;
}

async function using<Result>(location: string, work: (location: string) => Promise<Result>): Promise<Result> {
  try {
    return await work(location);
  } catch (cause) {
    if (cause instanceof CodedError || cause instanceof ApiError) throw cause;
    throw new ConfigurationError(
      `the database ${shownDatabase(location)} cannot be used: ${reasonOf(cause)}`,
      'Use another one with --local DATABASE.',
    );
  }
}
