/**
 * The job directory cannot take the books of this run, or the system's directory for temporary files what the run puts
 * aside. The message names it, the hint the way out where it is a special one.
 */
export class JobDirectoryError extends Error {
  override readonly name = 'JobDirectoryError';
  readonly directory: string;
  readonly hint: string;

  constructor(directory: string, fault: string, hint = '') {
    super(`${directory}: ${fault}`);
    this.hint = hint;
    this.directory = directory;
  }
}
