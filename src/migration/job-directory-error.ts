/** The job directory cannot take the books of this run. The message names it and the way out. */
export class JobDirectoryError extends Error {
  override readonly name = 'JobDirectoryError';
  readonly directory: string;

  constructor(directory: string, fault: string) {
    super(`${directory}: ${fault}`);
    this.directory = directory;
  }
}
