import { errorCode } from '../../text/error-code.ts';
import type { Change } from '../context/context.ts';
import type { OwnCode } from '../errors/error-table.ts';
import { systemFaultOf } from '../errors/errors.ts';
import { toJson } from './formats/json.ts';

/** Most changes that are named. */
const mostNamed = 3;

/**
 * What to do about a result that could not be written: `remedy` if the command changed nothing. Otherwise only what it changed, since
 * a remedy says to run the command again, which would repeat the change.
 */
export function hintAfter(changes: readonly Change[], remedy = ''): string {
  if (changes.length === 0) return remedy;
  const named = changes.slice(0, mostNamed).map(({ done }) => done);
  const more = changes.length > mostNamed ? ` and ${changes.length - mostNamed} more` : '';
  const done = `The command had ${named.join(', ')}${more}: check that before you repeat it.`;
  return [done, ...new Set(changes.map(({ next }) => next))].filter(Boolean).join('\n');
}

/** The error on stderr for a stdout that cannot be written: with `--json` in the form of all errors, otherwise as lines. */
export function lostResult(cause: Error, args: readonly string[], changes: readonly Change[]): string {
  const message = `cannot write the output (${errorCode(cause) ?? cause.message})`;
  const hint = hintAfter(changes, systemFaultOf(cause)?.remedy);
  const code: OwnCode = 'OUTPUT';
  if (args.includes('--json')) {
    return `${toJson({ error: { code, message, status: null, retryable: false, hint } })}\n`;
  }
  return `tenant-users: ${message}\n${hint && `${hint}\n`}`;
}
