import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { genders, hashAlgorithms, userFields } from '../../contract/attributes.ts';
import { warningCodes } from '../../migration/rows/issues/issues.ts';
import { encodings } from '../../migration/source/encodings.ts';
import { clearable } from '../commands/users/input/attribute-input.ts';
import { readConfig } from '../config/profiles.ts';
import { serviceOf } from '../connection/embedded-service.ts';
import { parentsOf, pathNames, valueNameOf } from '../context/command-line.ts';
import type { CommandContext } from '../context/context.ts';
import { configFile } from '../context/directories.ts';
import { topicNames } from '../help/topic-names.ts';

/** An argument or the value of an option: the flag of the option, the name in the help, and the choices, if it has some. */
interface Slot {
  flag?: string | undefined;
  name: string;
  choices?: readonly string[] | undefined;
}

/** The context of the cursor, as given by the words before it. */
interface Cursor {
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
async function completeValue(cursor: Cursor, slot: Slot, text: string): Promise<Completion> {
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

export interface Candidate {
  /** The whole word, unquoted. */
  value: string;
  description: string;
}

export interface Completion {
  candidates: readonly Candidate[];
  /** True if files can be completed as well. */
  files?: boolean;
  /** True if the word can continue, so that no space follows it. */
  open?: boolean;
}

/** The words before the cursor, as the program would read them. */
interface ReadWords {
  command: CommandUnknownOpts;
  /** Number of arguments of the command so far. */
  count: number;
  /** An option that takes the next word as its value. */
  pending: Option | undefined;
  /** True after `--`, where nothing is an option. */
  onlyArguments: boolean;
  config: string | undefined;
  /** True directly after `help`, which takes topics as well as commands. */
  isHelp: boolean;
}

/** Completes the word at the cursor, given the words before it (without the program's name). */
export async function completeWords(
  context: CommandContext,
  program: CommandUnknownOpts,
  before: readonly string[],
  current: string,
): Promise<Completion> {
  const read = readWords(program, before);
  const { command, pending, onlyArguments, config } = read;
  const fill = (slot: Slot, text: string) => completeValue({ context, config, command }, slot, text);
  if (pending?.required) return fill(slotOf(pending), current);
  if (!onlyArguments && current.startsWith('--') && current.includes('=')) {
    const flag = current.slice(0, current.indexOf('='));
    const option = optionOf(command, flag);
    if (!option || option.isBoolean()) return { candidates: [] };
    const value = await fill(slotOf(option), current.slice(flag.length + 1));
    const whole = (one: Candidate) => ({ ...one, value: `${flag}=${one.value}` });
    return { ...value, candidates: value.candidates.map(whole) };
  }
  if (!onlyArguments && current.startsWith('-'))
    return { candidates: startingWith(flagsOf(command), current) };
  const value = pending ? await fill(slotOf(pending), current) : { candidates: [] };
  const topics = read.isHelp ? topicCandidates : [];
  const names = read.count === 0 && !onlyArguments ? [...commandsOf(command), ...topics] : [];
  const argument = command.registeredArguments.at(read.count) ?? command.registeredArguments.at(-1);
  const isOpen = argument && (argument.variadic || read.count < command.registeredArguments.length);
  const own = isOpen
    ? await fill({ name: argument.name(), choices: argument.argChoices }, current)
    : { candidates: [] };
  const found: Completion = {
    ...value,
    ...own,
    files: Boolean(value.files || own.files),
    candidates: [...startingWith(names, current), ...value.candidates, ...own.candidates],
  };
  const isNothing = found.candidates.length === 0 && !found.files && current === '' && !onlyArguments;
  return isNothing ? { candidates: flagsOf(command) } : found;
}

function readWords(program: CommandUnknownOpts, before: readonly string[]): ReadWords {
  const read: ReadWords = {
    command: program,
    count: 0,
    pending: undefined,
    onlyArguments: false,
    config: undefined,
    isHelp: false,
  };
  const isCommand = (word: string) => program.commands.some((one) => one.name() === word);
  for (const word of before) {
    const option = read.pending;
    read.pending = undefined;
    if (option && (option.required || !(word.startsWith('-') || isCommand(word)))) {
      if (option.long === '--config') read.config = word;
    } else if (!read.onlyArguments && word === '--') read.onlyArguments = true;
    else if (!read.onlyArguments && word.startsWith('-') && word !== '-') readOption(read, word);
    else step(read, word);
  }
  return read;
}

function readOption(read: ReadWords, word: string): void {
  const [flag = '', ...value] = word.split('=');
  if (flag === '--config' && value.length > 0) read.config = value.join('=');
  if (word.startsWith('--') && value.length > 0) return;
  // Of combined short options, such as -qo, the last can have its value in the next word.
  const option = optionOf(read.command, word.startsWith('--') ? word : `-${word.at(-1)}`);
  if (option && !option.isBoolean()) read.pending = option;
}

function step(read: ReadWords, word: string): void {
  // `help` comes first, and is skipped: the words after it are completed as if it were not there.
  if (word === 'help' && read.count === 0 && read.command.commands.length > 0) {
    read.isHelp = read.command.parent === null;
    return;
  }
  read.isHelp = false;
  const next = read.count === 0 ? read.command.commands.find((one) => one.name() === word) : undefined;
  if (next) read.command = next;
  else read.count += 1;
}

function optionOf(command: CommandUnknownOpts, flag: string): Option | undefined {
  return optionsOf(command).find((option) => option.long === flag || option.short === flag);
}

function optionsOf(command: CommandUnknownOpts): Option[] {
  const own = command.createHelp().visibleOptions(command);
  const inherited = parentsOf(command).flatMap(({ options }) => options.filter(({ hidden }) => !hidden));
  return [...own, ...inherited];
}

function flagsOf(command: CommandUnknownOpts): Candidate[] {
  return optionsOf(command).map(({ long, short, description }) => ({
    value: long ?? short ?? '',
    description,
  }));
}

const topicCandidates: readonly Candidate[] = Object.entries(topicNames).map(([value, description]) => ({
  value,
  description,
}));

function commandsOf(command: CommandUnknownOpts): Candidate[] {
  const commands = command.createHelp().visibleCommands(command);
  return commands.map((one) => ({ value: one.name(), description: one.description() }));
}

function startingWith(candidates: readonly Candidate[], text: string): Candidate[] {
  return candidates.filter(({ value }) => value.startsWith(text));
}

function slotOf(option: Option): Slot {
  return { flag: option.long, name: valueNameOf(option), choices: option.argChoices };
}
