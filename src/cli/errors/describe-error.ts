import { CommanderError } from '@commander-js/extra-typings';
import { ApiError, AuthenticationError, NetworkError, type NetworkFault } from '../../client/errors.ts';
import { CodedError } from '../../contract/coded-error.ts';
import { explainError } from '../../contract/explain-error.ts';
import { looksLikeHash } from '../../migration/hashes/formats.ts';
import { apiExitCode, isOwnCode, networkRemedies, type OwnCode, ownErrors } from './error-table.ts';
import { AdvisedError, type ErrorDetail, UsageError } from './errors.ts';
import { exitCodes } from './exit-codes.ts';
import { systemFaultOf } from './system-fault.ts';
import { UnknownCommandError, unknownCommandHint } from './unknown-command.ts';

/** What is printed of a failure, for people and for scripts. */
export interface Description {
  exitCode: number;
  code: string;
  message: string;
  /** HTTP status, when there was an answer. */
  status: number | null;
  /** May the same command succeed later without a change? */
  retryable: boolean;
  hint: string;
  /** Each thing that is wrong with a file that was given. */
  details?: readonly ErrorDetail[];
}

/** Faults that stay until somebody changes something. */
const lasting: ReadonlySet<NetworkFault> = new Set(['tls', 'proxy', 'notTheApi']);

/** A user without a unique key would be created twice. */
const lookUpFirst = 'The call may have been carried out: find that out before you repeat it. ';

/** The one translation of failures into exit codes and words. */
export function describeError(failure: unknown): Description {
  if (failure instanceof ApiError) {
    return answered(apiExitCode(failure.code), failure, failure.effect === 'unknown');
  }
  if (failure instanceof AuthenticationError) return answered(exitCodes.authentication, failure, false);
  if (failure instanceof NetworkError) {
    const { message, status, fault, hint, effect } = failure;
    const isOpen = effect === 'unknown';
    const remedy = `${isOpen ? lookUpFirst : ''}${hint || networkRemedies[fault]}`;
    return {
      ...own('NETWORK', message, remedy),
      status: status ?? null,
      retryable: !isOpen && !lasting.has(fault),
    };
  }
  if (failure instanceof CodedError && isOwnCode(failure.code)) {
    const { code, message, hint, retryable } = failure;
    const details = failure instanceof UsageError ? failure.details : undefined;
    const isTransient = retryable || 'retryable' in ownErrors[code];
    return { ...own(code, message, hint), retryable: isTransient, ...(details ? { details } : {}) };
  }
  if (failure instanceof AdvisedError) return { ...describeError(failure.cause), hint: failure.advice };
  if (failure instanceof UnknownCommandError) {
    return own('USAGE', `unknown command '${shownValue(failure.word)}'`, unknownCommandHint(failure));
  }
  if (failure instanceof CommanderError) {
    const { message, hint } = usageWords(withoutSecrets(failure.message));
    return own('USAGE', message, hint);
  }
  const fault = systemFaultOf(failure);
  if (fault) {
    return own('CONFIGURATION', `${fault.path ?? 'a file'} cannot be used: ${fault.reason}`, fault.remedy);
  }
  return own('UNEXPECTED', failure instanceof Error ? failure.message : String(failure));
}

/** An error of the API; codes that are not in the tables have no hint. */
function answered(
  exitCode: number,
  { code, message, status }: ApiError | AuthenticationError,
  isFailing: boolean,
): Description {
  const known = explainError(code);
  const retryable = known?.retryable ?? isFailing;
  return { exitCode, code, message, status, retryable, hint: known?.remedy ?? '' };
}

/** Without a hint of its own a failure gets what is to be done about every one of its code. */
function own(code: OwnCode, message: string, hint = ''): Description {
  const { exit, remedy } = ownErrors[code];
  return { exitCode: exitCodes[exit], code, message, status: null, retryable: false, hint: hint || remedy };
}

/** What commander says of an argument it cannot use, without what may be a secret in the wrong place. */
function withoutSecrets(message: string): string {
  const text = message.replace(/^error: /, '');
  // A value may hold quotes and line breaks of its own: all but the suggestion at the end belongs to it.
  const [, before, value = '', after = ''] =
    /^(unknown option '|option '[^']*' argument '|command-argument value ')(.*)('(?: is invalid.*|\n\(Did you mean .*\))?)$/s.exec(
      text,
    ) ?? [];
  if (before === undefined) return text;
  return `${before}${before.endsWith("option '") ? shownOption(value) : shownValue(value)}${after}`;
}

/** An option that is not known, without its value: `--name=…`, and of `-nvalue` the letter. */
function shownOption(option: string): string {
  const [, name, value] = /^(--[\w.-]*|-\w?)(.*)$/s.exec(option) ?? [];
  if (name === undefined) return shownValue(option);
  if (value) return value.startsWith('=') ? `${name}=…` : `${name}…`;
  return shownValue(name.replace(/^-+/, '')) === '…' ? '…' : name;
}

function shownValue(value: string): string {
  return looksLikeHash(value.trim()) ? '…' : value;
}

/** What is wrong with a command line, and what to do next. */
interface Words {
  message: string;
  hint: string;
}

const help = 'Add --help to see how it is used.';

/** How commander words a fault, and how we do. */
const rewordings: [RegExp, (...parts: string[]) => Words][] = [
  [
    /^command-argument value '(.*)' is invalid for argument '([^']*)'\. (.*)$/s,
    (value, name, rule) => invalid(name, value, rule),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/s,
    (flag, value, rule) => invalid(flag, value, rule),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)([^']*)' argument missing$/,
    (flag, value) => ({ message: `${flag} requires a value`, hint: `Write: ${flag}${value}` }),
  ],
  [
    /^required option '(--[\w-]+)([^']*)' not specified$/,
    (flag, value) => ({ message: `${flag} is missing`, hint: `Add: ${flag}${value}` }),
  ],
  [
    /^(too many arguments for .*)\. (Expected .*)$/,
    (message, expected) => ({
      message: message ?? '',
      hint: `${expected} Put quotes around a value with spaces.`,
    }),
  ],
  [
    /^(unknown .*)\n\((Did you mean .*)\)$/,
    (message, suggestion) => ({ message: message ?? '', hint: suggestion ?? help }),
  ],
  [
    /^option '(?:-\w, )?(--[\w-]+)[^']*' cannot be used with option '(?:-\w, )?(--[\w-]+)[^']*'$/,
    (one, other) => ({
      message: `${one} and ${other} cannot be used together`,
      hint: 'Use only one of them.',
    }),
  ],
  [/^unknown option/, (message) => ({ message: message ?? '', hint: 'Add --help to see the options.' })],
  [/^\(outputHelp\)$/, () => ({ message: 'no command given', hint: 'Add --help to see the commands.' })],
];

/** Commander's own rule for choices ends in a full stop; those of the option parsers read `must be …`. */
function invalid(name = '', value = '', rule = ''): Words {
  const must = rule.replace(/^Allowed choices are (.*)\.$/, 'must be one of $1');
  return { message: `invalid ${name} ${JSON.stringify(value)}: ${must}`, hint: help };
}

/** Puts what commander says of a command line, without its `error: `, into words. */
function usageWords(text: string): Words {
  for (const [pattern, words] of rewordings) {
    const match = pattern.exec(text);
    if (match) return match.length > 1 ? words(...match.slice(1)) : words(text);
  }
  return { message: text, hint: help };
}
