import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';

const flag = 'allocation-site-pretenuring';
/** Fewer rows end before V8's young generation has its full size, on which it waits. */
const manyRows = 10_000;

/**
 * Does the work on so many rows, during which V8 puts new objects among the young ones. Otherwise, if it collects garbage when the
 * first rows have just been read, it takes all objects that are made at the same places of the code for long-lived ones, and puts all
 * rows of the run among the old objects, where they stay long after their end. Code that is first loaded meanwhile is compiled again,
 * because V8 rejects what it compiled with another flag.
 */
export async function keepRowsYoung<Result>(rows: number, work: () => Promise<Result>): Promise<Result> {
  if (rows < manyRows) return work();
  const before = cachedDataVersionTag();
  setFlagsFromString(`--no-${flag}`);
  const isChanged = cachedDataVersionTag() !== before;
  try {
    return await work();
  } finally {
    if (isChanged) setFlagsFromString(`--${flag}`);
  }
}
