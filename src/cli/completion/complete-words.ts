import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { CommandContext } from '../context/context.ts';
import { topicNames } from '../help/topic-names.ts';
import { valueNameOf } from '../input/path-names.ts';
import { type Candidate, type Completion, completeValue, type Slot } from './complete-value.ts';

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
  const inherited = ancestorsOf(command).flatMap(({ options }) => options.filter(({ hidden }) => !hidden));
  return [...own, ...inherited];
}

function ancestorsOf({ parent }: CommandUnknownOpts): CommandUnknownOpts[] {
  return parent ? [parent, ...ancestorsOf(parent)] : [];
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
