/** Like `cases` of `wrong-usage.ts`, for the options that select a tenant and for values of options. */
export const optionCases: [command: string, message: string, hint: string][] = [
  ['serve --local own.db --port 0', 'serve takes --database, not --local', 'Use --database.'],
  [
    'list --local --base-url http://localhost:1',
    '--base-url and --local cannot be used together',
    'Use only one of them.',
  ],
];
