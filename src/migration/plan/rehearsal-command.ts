import { quotePath, quoteWord } from '../../text/shell-quote.ts';
import { isBuiltIn } from '../recipes/built-in.ts';
import type { FileReading, Plan } from './plan-schemas.ts';

/** The options of a command that make it read a file in the same way, for each way of reading it. */
const optionsOf: { [Name in keyof FileReading]?: (value: NonNullable<FileReading[Name]>) => string[] } = {
  encoding: (name) => ['--encoding', name],
  delimiter: (one) => ['--delimiter', one],
  header: (names) => ['--header', names.join(',')],
  recipe: (recipe) => {
    if (recipe === 'none') return ['--from', recipe];
    return [isBuiltIn(recipe.name) ? '--from' : '--recipe', recipe.name];
  },
  map: (map) => map.flatMap(({ field, column }) => ['--map', `${field}=${column}`]),
  set: (constants) => constants.flatMap(({ field, value }) => ['--set', `${field}=${value}`]),
  algorithm: (name) => ['--algorithm', name],
  ignoreUnknown: (is) => (is ? ['--ignore-unknown'] : []),
  allowPasswordless: (is) => (is ? ['--allow-passwordless'] : []),
  foreignHashes: (what) => ['--foreign-hashes', what],
  accept: (codes) => codes.flatMap((code) => ['--accept', code]),
};

/** Returns the command that rehearses the import of a plan's file as the plan reads it. A plan stores no HMAC key: it is left out. */
export function rehearsalCommand({ file, reading }: Pick<Plan, 'file' | 'reading'>): string {
  const names = Object.keys(optionsOf) as (keyof FileReading)[];
  const options = names.flatMap((name) => wordsOf(name, reading[name]));
  const words = ['tenant-users', 'import-hashes', quotePath(file.path), ...options.map(quoteWord)];
  return [...words, '--rehearse', '--canary', 'known.csv'].join(' ');
}

function wordsOf<Name extends keyof FileReading>(name: Name, value: FileReading[Name]): string[] {
  const words: ((value: NonNullable<FileReading[Name]>) => string[]) | undefined = optionsOf[name];
  return value === undefined ? [] : (words?.(value) ?? []);
}
