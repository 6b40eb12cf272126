import { relative, sep } from 'node:path';

/** A path relative to the current directory, if it is below it: other commands accept what is shown. */
export function fromHere(path: string): string {
  const below = relative('', path);
  return below === '' || below.split(sep, 1)[0] === '..' ? path : below;
}
