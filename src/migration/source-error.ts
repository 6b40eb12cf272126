/**
 * The source file cannot be imported as it is, and nothing was sent. The message names the file, the physical
 * line where there is one, the reason and the way out; it never holds a cell of the file.
 */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  readonly file: string;
  /** Physical line from 1, when the fault has a place. */
  readonly line: number | undefined;

  constructor(file: string, fault: string, line?: number) {
    super(line === undefined ? `${file}: ${fault}` : `${file}, line ${line}: ${fault}`);
    this.file = file;
    this.line = line;
  }
}
