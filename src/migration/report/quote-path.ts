import { quoteWord } from './quote-word.ts';

/** A path as one word of a command line for a POSIX shell; one that begins with a dash gets `./` before it. */
export function quotePath(path: string): string {
  return quoteWord(path.startsWith('-') ? `./${path}` : path);
}
