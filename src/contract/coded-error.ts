/** An error that a person can act on: a code that `explain` knows, what happened, and what to do about it. */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  /** What to do about the error; empty if the general remedy for the code is enough. */
  readonly hint: string;

  constructor(code: Code, message: string, hint = '', cause?: unknown) {
    super(message, { cause });
    // The bundle keeps the names of classes.
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
  }
}
