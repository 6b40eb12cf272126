import type { Mistake } from './fields.ts';

/** A fault script is refused whole; the message has a line per mistake, each with its path in the file. */
export class FaultScriptError extends Error {
  override readonly name = 'FaultScriptError';
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ path, reason }) => `${path || 'the file'} ${reason}`).join('\n'));
    this.mistakes = mistakes;
  }
}
