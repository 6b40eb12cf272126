import { acceptedOnce } from '../model/job.ts';
import { isBuiltIn } from '../recipes/built-in.ts';
import type { InputOptions } from './open-input.ts';

/** The options of a command that make it read a file in the same way, for each way of reading it. */
const optionsOf: { [Name in keyof InputOptions]?: (value: NonNullable<InputOptions[Name]>) => string[] } = {
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
  accept: (codes) => codes.flatMap((code) => (code === acceptedOnce ? [] : ['--accept', code])),
};

/** The options, not quoted, with which `plan` and `import-hashes` read a file in the same way; those with the HMAC key are left out. */
export function readingWords(reading: InputOptions): string[] {
  const names = Object.keys(optionsOf) as (keyof InputOptions)[];
  return names.flatMap((name) => wordsOf(name, reading[name]));
}

function wordsOf<Name extends keyof InputOptions>(name: Name, value: InputOptions[Name]): string[] {
  const words: ((value: NonNullable<InputOptions[Name]>) => string[]) | undefined = optionsOf[name];
  return value === undefined ? [] : (words?.(value) ?? []);
}
