import { CommanderError } from '@commander-js/extra-typings';
import type { CommandContext, GlobalOptions, ProcessContext } from './context/context.ts';
import { ReportedError } from './errors/errors.ts';
import { exitCodes } from './errors/exit-codes.ts';
import { toJson } from './output/formats/json.ts';
import { linesFor } from './output/show.ts';
import { paint } from './output/styles.ts';
import { buildProgram } from './program.ts';

/** Runs one command line and returns its exit code; whatever was opened for it is closed again. */
export async function run(args: readonly string[], world: ProcessContext): Promise<number> {
  const ends: (() => Promise<void>)[] = [];
  const endAll = async () => {
    while (ends.length > 0) await ends.pop()?.();
  };
  // What must be known before the arguments are parsed, since that may fail.
  const options: GlobalOptions = {
    ...(args.includes('--json') ? { json: true } : {}),
    ...(args.includes('--no-color') ? { color: false } : {}),
  };
  const own = { words: args, options, atEnd: (end: () => Promise<void>) => void ends.push(end) };
  // Inherits, so that a stream is opened when it is first used.
  const session: CommandContext = Object.assign(Object.create(world) as ProcessContext, own);

  const program = buildProgram(session, args);

  try {
    const ended = program.parseAsync(separateLocal(args, program), { from: 'user' });
    await Promise.race([ended, interruptionOf(session)]);
    return exitCodes.done;
  } catch (failure) {
    return world.signal.aborted || isPromptEnd(failure)
      ? endedBy(world.signal)
      : await tell(session, failure);
  } finally {
    await endAll();
  }
}

/** `--local` takes a database only where the next word is no command: `--local list` lists. */
function separateLocal(args: readonly string[], program: ReturnType<typeof buildProgram>): string[] {
  const names = new Set(program.commands.flatMap((command) => [command.name(), ...command.aliases()]));
  const end = args.indexOf('--');
  const isOption = (index: number) => args[index] === '--local' && (end < 0 || index < end);
  return args.map((arg, index) => (isOption(index) && names.has(args[index + 1] ?? '') ? '--local=' : arg));
}

async function tell(session: CommandContext, failure: unknown): Promise<number> {
  if (failure instanceof ReportedError) return failure.exitCode;
  if (failure instanceof CommanderError) {
    if (failure.exitCode === 0) return exitCodes.done;
    if (failure.code === 'commander.help' && !session.options.json) return exitCodes.usage;
  }
  const { describeError } = await import('./errors/describe-error.ts');
  const { exitCode, ...error } = describeError(failure);
  if (session.options.json) {
    session.stderr.write(`${toJson({ error })}\n`);
  } else {
    const code = /[.]|_/.test(error.code) && error.status !== null ? ` (${error.code})` : '';
    // Only refusals have more to tell than their hint.
    const more = session.stderr.isTTY && code && error.hint ? `More: tenant-users explain ${error.code}` : '';
    const name = 'tenant-users:';
    const message = linesFor(session, `${name} ${error.message}${code}`).slice(name.length);
    session.stderr.write(`${paint(session, 'stderr', 'red', name)}${message}\n`);
    for (const hint of [error.hint, more].filter(Boolean)) {
      session.stderr.write(`${paint(session, 'stderr', 'dim', linesFor(session, hint))}\n`);
    }
  }
  return exitCode;
}

/** Rejects on the first signal, unless the command has said that it ends by itself. */
function interruptionOf(session: CommandContext): Promise<never> {
  return new Promise((_, reject) => {
    const interrupt = () => session.endsItself || reject(session.signal.reason);
    if (session.signal.aborted) interrupt();
    else session.signal.addEventListener('abort', interrupt, { once: true });
  });
}

const endCodes: Record<string, number> = { SIGTERM: exitCodes.terminated, SIGHUP: exitCodes.hungUp };

function endedBy(signal: AbortSignal): number {
  return endCodes[String(signal.reason)] ?? exitCodes.interrupted;
}

/** Ctrl-C at a prompt arrives as an error of the prompt, not as a signal. */
function isPromptEnd(failure: unknown): boolean {
  return failure instanceof Error && failure.name === 'ExitPromptError';
}
