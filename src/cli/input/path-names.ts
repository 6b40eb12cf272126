/** Names that an argument or the value of an option has in the help if it is the path of a file or a directory. */
export const pathNames: ReadonlySet<string> = new Set([
  'file',
  'directory',
  'directories',
  'database',
  'job',
  'before',
  'after',
  'key',
  'recipe',
]);
