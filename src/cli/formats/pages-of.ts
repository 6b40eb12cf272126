import type { Result, Row } from './formats.ts';

/** The records of a result page by page; one page, which may be empty, where they are all there. */
export async function* pagesOf({ rows }: Result): AsyncGenerator<readonly Row[]> {
  if (Symbol.asyncIterator in rows) yield* rows;
  else yield rows;
}
