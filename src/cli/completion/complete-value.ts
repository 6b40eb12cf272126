import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { genders, hashAlgorithms, userFields } from '../../contract/attributes.ts';
import { warningCodes } from '../../migration/rows/issues.ts';
import { encodings } from '../../migration/source/encodings.ts';
import { updatable } from '../commands/users/attribute-input.ts';
import { readConfig } from '../config/config-file.ts';
import { configFile } from '../config/profiles.ts';
import { embeddedService } from '../connection/embedded-service.ts';
import type { CommandContext } from '../context/context.ts';

/** An argument, or the value of an option: its flag, what the help calls it, and its choices where it has some. */
export interface Slot {
  flag?: string | undefined;
  name: string;
  choices?: readonly string[] | undefined;
}

/** What the words before the cursor say. */
export interface Cursor {
  context: CommandContext;
  /** Configuration file that they name. */
  config: string | undefined;
  command: CommandUnknownOpts;
}

type Source = (cursor: Cursor) => readonly Candidate[] | Promise<readonly Candidate[]>;

/** Names between commas, by flag. */
const listsByFlag: Record<string, Source> = {
  '--columns': ({ command }) => (showsUsers(command) ? named([...userFields, 'extension.']) : []),
  '--unset': () => named([...updatable, 'extension.']),
  '--where': () => named(userFields.map((field) => (field === 'extension' ? 'extension.' : `${field}=`))),
};

const byFlag: Record<string, Source> = {
  '--profile': profileNames,
  '--gender': () => named(genders),
  '--sort': () => named(userFields.filter((field) => field !== 'extension')),
  '--algorithm': () => named(hashAlgorithms),
  '--encoding': () => named(Object.keys(encodings)),
  '--accept': () => named(warningCodes),
};

/** By the name that the help gives to an argument or a value. */
const byName: Record<string, Source> = { profile: profileNames, code: errorCodes };

/** Names of arguments and values that are files. */
const fileNames = ['file', 'directory', 'database'];

/** What an argument or the value of an option may be, that starts with this text; nothing goes over a network. */
export async function completeValue(cursor: Cursor, slot: Slot, text: string): Promise<Completion> {
  const { flag = '', name, choices } = slot;
  const list = listsByFlag[flag];
  if (list) return completeList(await list(cursor), text);
  if (!choices && fileNames.includes(name)) return { candidates: [], files: true };
  const source = byFlag[flag] ?? byName[name];
  const candidates = choices ? named(choices) : source ? await source(cursor) : [];
  return { candidates: candidates.filter(({ value }) => value.startsWith(text)) };
}

/** Each name once; the word goes on with a comma, or with the key of an extension attribute. */
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

/** A configuration that cannot be read has no names to offer; the command that needs it will say so. */
function profileNames({ context, config }: Cursor): Candidate[] {
  const { env, configDirectory } = context;
  const options = config === undefined ? {} : { config };
  try {
    const { profiles = {} } = readConfig(configFile({ env, configDirectory, options }));
    return Object.entries(profiles).map(([value, { base_url, local }]) => ({
      value,
      description: local === undefined ? (base_url ?? '') : embeddedService(local),
    }));
  } catch {
    return [];
  }
}

async function errorCodes(): Promise<Candidate[]> {
  const { allExplained } = await import('../errors/explain/explained.ts');
  return allExplained().map(({ explained: { code, message } }) => ({ value: code, description: message }));
}

/** A word that may stand where the cursor is. */
export interface Candidate {
  /** The whole word, unquoted. */
  value: string;
  description: string;
}

/** All that may stand where the cursor is. */
export interface Completion {
  candidates: readonly Candidate[];
  /** May it be a file, too? */
  files?: boolean;
  /** The word may go on: no space after it. */
  open?: boolean;
}
