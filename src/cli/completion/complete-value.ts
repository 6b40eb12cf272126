import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { genders, hashAlgorithms, userFields } from '../../contract/attributes.ts';
import { warningCodes } from '../../migration/rows/issues.ts';
import { encodings } from '../../migration/source/encodings.ts';
import { clearable } from '../commands/users/attribute-input.ts';
import { readConfig } from '../config/config-file.ts';
import { serviceOf } from '../connection/embedded-service.ts';
import { configFile } from '../context/config-place.ts';
import type { CommandContext } from '../context/context.ts';
import { pathNames } from '../input/path-names.ts';

/** An argument or the value of an option: the flag of the option, the name in the help, and the choices, if it has some. */
export interface Slot {
  flag?: string | undefined;
  name: string;
  choices?: readonly string[] | undefined;
}

/** The context of the cursor, as given by the words before it. */
export interface Cursor {
  context: CommandContext;
  /** Configuration file given by `--config`. */
  config: string | undefined;
  command: CommandUnknownOpts;
}

type Source = (cursor: Cursor) => readonly Candidate[] | Promise<readonly Candidate[]>;

/** Sources for comma-separated names, by flag. */
const listsByFlag: Record<string, Source> = {
  '--columns': ({ command }) => (showsUsers(command) ? named([...userFields, 'extension.']) : []),
  '--unset': () => named([...clearable, 'extension.']),
  '--where': () => named(userFields.map((field) => (field === 'extension' ? 'extension.' : `${field}=`))),
};

const byFlag: Record<string, Source> = {
  '--profile': profileNames,
  '--gender': () => named(genders),
  '--sort': () => named(userFields.filter((field) => field !== 'extension')),
  '--algorithm': () => named([...hashAlgorithms, 'infer']),
  '--encoding': () => named(Object.keys(encodings)),
  '--accept': () => named(warningCodes),
};

/** Sources by the name that an argument or a value has in the help. */
const byName: Record<string, Source> = { profile: profileNames, code: errorCodes };

/** Completes an argument or the value of an option that starts with `text`. Never uses the network. */
export async function completeValue(cursor: Cursor, slot: Slot, text: string): Promise<Completion> {
  const { flag = '', name, choices } = slot;
  const list = listsByFlag[flag];
  if (list) return completeList(await list(cursor), text);
  if (!choices && pathNames.has(name)) return { candidates: [], files: true };
  const source = byFlag[flag] ?? byName[name];
  const candidates = choices ? named(choices) : source ? await source(cursor) : [];
  return { candidates: candidates.filter(({ value }) => value.startsWith(text)) };
}

/** Completes the last name of a comma-separated list. Offers each name once, and adds no space, so that the list can continue. */
function completeList(names: readonly Candidate[], text: string): Completion {
  const taken = text.split(',');
  const last = taken.pop() ?? '';
  const before = taken.map((one) => `${one},`).join('');
  const candidates = names
    .filter(({ value }) => value.startsWith(last) && !taken.includes(value))
    .map((one) => ({ ...one, value: before + one.value }));
  return { candidates, open: true };
}

function named(values: readonly string[]): Candidate[] {
  return values.map((value) => ({ value, description: '' }));
}

function showsUsers(command: CommandUnknownOpts): boolean {
  const parent = command.parent;
  return ['list', 'get'].includes(command.name()) && (parent?.parent === null || parent?.name() === 'users');
}

/** Names of the profiles; none if the configuration cannot be read, which the command that needs it will report. */
function profileNames({ context, config }: Cursor): Candidate[] {
  const options = config === undefined ? {} : { config };
  try {
    const { env, configDirectory } = context;
    const { profiles = {} } = readConfig(configFile({ env, configDirectory, options }));
    return Object.entries(profiles).map(([value, one]) => ({
      value,
      description: serviceOf(context, one) ?? '',
    }));
  } catch {
    return [];
  }
}

async function errorCodes(): Promise<Candidate[]> {
  const { allExplained } = await import('../errors/explain/explained.ts');
  return allExplained().map(({ code, message }) => ({ value: code, description: message }));
}

/** A possible completion of the word at the cursor. */
export interface Candidate {
  /** The whole word, unquoted. */
  value: string;
  description: string;
}

/** All possible completions of the word at the cursor. */
export interface Completion {
  candidates: readonly Candidate[];
  /** True if files can be completed as well. */
  files?: boolean;
  /** True if the word can continue, so that no space follows it. */
  open?: boolean;
}
