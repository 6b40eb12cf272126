import { CommanderError } from '@commander-js/extra-typings';
import { CodedError } from '../contract/coded-error.ts';
import { errorCode } from '../text/error-code.ts';
import { withConnection } from './context/connection-options.ts';
import {
  type Change,
  type CommandContext,
  canAsk,
  type GlobalOptions,
  type ProcessContext,
} from './context/context.ts';
import type { OwnCode } from './errors/error-table.ts';
import {
  AdvisedError,
  InterruptedError,
  RefusedError,
  ReportedError,
  ResultFileError,
} from './errors/errors.ts';
import { exitCodeOfSignal, exitCodes } from './errors/exit-codes.ts';
import { firstWords } from './first-words.ts';
import { defaultLocal } from './input/global-options.ts';
import { isPromptEnd } from './input/prompts.ts';
import { toJson } from './output/formats/json.ts';
import { hintAfter } from './output/lost-result.ts';
import { linesFor, say } from './output/show.ts';
import { paint } from './output/styles.ts';
import { buildProgram } from './program.ts';

/** Runs one command line, closes everything that was opened for it, and returns its exit code. */
export async function run(args: readonly string[], processContext: ProcessContext): Promise<number> {
  const cleanups: (() => Promise<void>)[] = [];
  const cleanUp = async () => {
    while (cleanups.length > 0) await cleanups.pop()?.();
  };
  // Needed before the arguments are parsed, since parsing may fail.
  const options: GlobalOptions = {
    ...(args.includes('--json') ? { json: true } : {}),
    ...(args.includes('--no-color') ? { color: false } : {}),
  };
  const changes: Change[] = [];
  const own: Omit<CommandContext, keyof ProcessContext> = {
    args,
    options,
    paths: [],
    changes,
    noteChange({ done, next }) {
      const change = { done, next: withConnection(context, next) };
      changes.push(change);
      processContext.onChange?.(change);
    },
    // Defined instead of assigned: the streams of the process are getters, which cannot be assigned to.
    runCommand: (line, streams) =>
      run(
        line,
        Object.create(
          processContext,
          Object.getOwnPropertyDescriptors({ ...streams, onExitCode: undefined }),
        ),
      ),
    onExit: (cleanup) => void cleanups.push(cleanup),
  };
  // Inherits the getters of the process context, so that a stream is opened on first use.
  const context: CommandContext = Object.assign(Object.create(processContext) as ProcessContext, own);

  try {
    const exitCode = await exitCodeOf(context, processContext);
    processContext.onExitCode?.(exitCode);
    const { failure: known } = context;
    await cleanUp();
    const { failure } = context;
    if (failure === known) return exitCode;
    const ownCode = await printError(context, failure);
    return exitCode === exitCodes.done ? ownCode : exitCode;
  } finally {
    await cleanUp();
  }
}

/** Runs the command, prints what failed, and returns its exit code. */
async function exitCodeOf(context: CommandContext, processContext: ProcessContext): Promise<number> {
  const { args } = context;
  const program = buildProgram(context, args);
  try {
    // A command that was started would go on for a while, although nobody waits for it.
    context.signal.throwIfAborted();
    const ended = program
      .parseAsync(separateLocal(args), { from: 'user' })
      .catch((failure: unknown) => runCompleted(failure, context, program, processContext));
    await Promise.race([ended, interruption(context), ...(context.stalled ? [context.stalled] : [])]);
    context.resultFile?.replace();
    return context.failure ? await printError(context, context.failure) : exitCodes.done;
  } catch (failure) {
    // A reader of the output that stops early, such as `head`, is not a failure.
    if (errorCode(failure) === 'EPIPE') return exitCodes.done;
    if (!processContext.signal.aborted && !isPromptEnd(failure)) return printFailure(context, failure);
    // Records that could not be written are no consequence of the signal.
    const cause = failure instanceof AdvisedError ? failure.cause : failure;
    if (cause instanceof CodedError && cause.code === 'JOB_DIRECTORY') await printError(context, failure);
    else await printInterruption(context, failure);
    const exitCode = exitCodeOfSignal[String(processContext.signal.reason)] ?? exitCodes.interrupted;
    await keepResult(context, exitCode, 'Interrupted: ');
    return exitCode;
  }
}

/** If a required argument is missing, asks a person for it and runs the completed command line; otherwise throws `failure`. */
async function runCompleted(
  failure: unknown,
  context: CommandContext,
  program: ReturnType<typeof buildProgram>,
  processContext: ProcessContext,
): Promise<void> {
  const isMissing = failure instanceof CommanderError && failure.code === 'commander.missingArgument';
  if (!isMissing || !canAsk(context)) throw failure;
  // The hook that sets them runs only before an action. The choices may come from the file of --config.
  context.options = program.opts() as GlobalOptions;
  const { completeArguments } = await import('./input/ask-argument.ts');
  const args = await completeArguments(context, program);
  if (!args) throw failure;
  // From here on, the completed command line handles signals.
  context.handlesSignals = true;
  const exitCode = await run(args, processContext);
  if (exitCode !== exitCodes.done) throw new ReportedError(exitCode);
}

/** Separates `--local` from a command that follows: `--local list` lists users, and does not open a database `list`. */
function separateLocal(args: readonly string[]): string[] {
  const names = new Set(firstWords);
  const end = args.indexOf('--');
  const isOption = (index: number) => args[index] === '--local' && (end < 0 || index < end);
  return args.map((arg, index) =>
    isOption(index) && names.has(args[index + 1] ?? '') ? `--local=${defaultLocal}` : arg,
  );
}

/** With `--json`, prints an error if there is no result; otherwise only that a change which was sent may have been made. */
async function printInterruption(context: CommandContext, failure: unknown): Promise<void> {
  // Its reason is printed: by the command line that a person completed, or by the result.
  if (failure instanceof ReportedError) return;
  const { options, hasResult, unanswered } = context;
  if (options.json ? !hasResult : unanswered !== undefined)
    await printError(context, new InterruptedError(unanswered), unwritten(context));
}

/** Prints a failure unless the result shows it already, and returns its exit code. */
async function printFailure(context: CommandContext, failure: unknown): Promise<number> {
  if (!(failure instanceof ReportedError)) {
    return keepResult(context, await printError(context, failure, unwritten(context)));
  }
  context.hasResult = true;
  return keepResult(context, failure.exitCode);
}

/**
 * Replaces the file of `--output-file` if the result of a command that failed or was interrupted is whole, and says so if it is
 * not. Returns the exit code of the command, or that of a file which cannot be replaced.
 */
async function keepResult(context: CommandContext, exitCode: number, why = ''): Promise<number> {
  const { resultFile } = context;
  if (!resultFile) return exitCode;
  const lacking = unwritten(context);
  if (lacking) {
    say(context, why + lacking);
    return exitCode;
  }
  try {
    resultFile.replace();
    return exitCode;
  } catch (fault) {
    return printError(context, fault);
  }
}

/** Says that the file of `--output-file` does not get a result; empty if it gets a whole one, or there is none. */
function unwritten({ resultFile, hasResult, options }: CommandContext): string {
  return !resultFile || hasResult ? '' : `${options.outputFile} was not written, and is as it was before`;
}

/** Codes that only say of which kind an error is: its message and its hint say all. */
const general: ReadonlySet<string> = new Set<OwnCode>([
  'USAGE',
  'CONFIGURATION',
  'NETWORK',
  'SOURCE',
  'JOB_DIRECTORY',
  'INTERRUPTED',
  'UNEXPECTED',
]);

/** Prints an error, and returns its exit code. `lacking`: what JSON adds to the hint; for people, it is a notice of its own. */
async function printError(context: CommandContext, failure: unknown, lacking = ''): Promise<number> {
  if (failure instanceof CommanderError) {
    if (failure.exitCode === 0) return exitCodes.done;
    if (failure.code === 'commander.help' && !context.options.json) return exitCodes.usage;
  }
  const { describeError } = await import('./errors/describe-error.ts');
  const { explainError } = await import('../contract/error-explanations.ts');
  const { exitCode, ...described } = describeError(failure);
  const remedy = withConnection(context, described.hint);
  const advice = failure instanceof ResultFileError ? hintAfter(context.changes, remedy) : remedy;
  const { json } = context.options;
  const hint = [advice, json ? lacking : ''].filter(Boolean).join('\n');
  const error = { ...described, hint };
  if (json) {
    context.stderr.write(`${toJson({ error })}\n`);
  } else {
    const isOwn = error.status === null;
    const code = !isOwn && /[.]|_/.test(error.code) ? ` (${error.code})` : '';
    const isExplained = isOwn ? !general.has(error.code) : code && explainError(error.code);
    const explained = (failure instanceof RefusedError && failure.explained) || error.code;
    const more = context.stderr.isTTY && isExplained ? `More: tenant-users explain ${explained}` : '';
    const name = 'tenant-users:';
    const message = linesFor(context, `${name} ${error.message}${code}`).slice(name.length);
    context.stderr.write(`${paint(context, 'stderr', 'red', name)}${message}\n`);
    for (const hint of [error.hint, more].filter(Boolean)) {
      context.stderr.write(`${paint(context, 'stderr', 'dim', linesFor(context, hint))}\n`);
    }
  }
  return exitCode;
}

/** Rejects on the first signal, unless the command handles signals itself. */
function interruption(context: CommandContext): Promise<never> {
  return new Promise((_, reject) => {
    const interrupt = () => context.handlesSignals || reject(context.signal.reason);
    if (context.signal.aborted) interrupt();
    else context.signal.addEventListener('abort', interrupt, { once: true });
  });
}
