/** Like `cases` of `wrong-usage.ts`, for the options that select a tenant or a user and for values of options. */
export const optionCases: [command: string, message: string, hint: string][] = [
  ['serve --local own.db --port 0', 'serve takes --database, not --local', 'Use --database.'],
  [
    'serve --profile prod --port 0',
    'serve takes --database, not --profile',
    'Use --database. To see the database of a profile: tenant-users profiles list',
  ],
  [
    'serve --base-url http://localhost:1 --port 0',
    'serve takes --database, not --base-url',
    'Use --host and --port; --public-url is the address in id tokens.',
  ],
  ...[':memory:', ':temporary:'].map((name): [string, string, string] => [
    `login --local ${name}`,
    `the database ${name} ends with the command, so no profile can be for it`,
    'Name a file, such as --local tenant.db.',
  ]),
  [
    'list --local --base-url http://localhost:1',
    '--base-url and --local cannot be used together',
    'Use only one of them.',
  ],
  [
    'list --local own.db --profile prod',
    '--profile and --local cannot be used together',
    'Use only one of them.',
  ],
  // The last value would replace the first without a word.
  ...[
    ['create --user-name ann --user-name bob', '--user-name'],
    ['ensure --user-name ann --nick-name a --nick-name b', '--nick-name'],
    ['update some-id --extension age=1 --extension age=2', '--extension age'],
    ['update --csv a.csv --csv b.csv', '--csv'],
    ['import-hashes a.csv --job a --job b', '--job'],
    ['plan a.csv --to a --to b', '--to'],
    ['list --limit 50 --limit 50', '--limit'],
    ['list --profile a --profile b', '--profile'],
    ['list --local a.db --local', '--local'],
  ].map(([line = '', option]): [string, string, string] => [
    line,
    `${option} is given more than once`,
    'Give it once: which value is meant?',
  ]),
  [
    `apps create --name ${'a'.repeat(101)}`,
    `invalid --name "${'a'.repeat(101)}": must be one line of at most 100 characters`,
    'Add --help to see how it is used.',
  ],
  // Commander would take the next option for the value.
  ...[
    ['--profile --quiet list', '--profile <name>'],
    ['list --output-file --columns', '--output-file <file>'],
    ['create --user-name --email=ann@example.com', '--user-name <value>'],
    ['import-hashes a.csv --job --dry-run', '--job <directory>'],
  ].map(([line = '', option = '']): [string, string, string] => [
    line,
    `${option.split(' ')[0]} requires a value`,
    `Write: ${option}`,
  ]),
  [
    'serve --trust-proxy 10.0.0.0/8/9',
    'invalid --trust-proxy "10.0.0.0/8/9": must be IP addresses or networks',
    'Add --help to see how it is used.',
  ],
  [
    'serve --public-url https://:planted-secret@users.example.com',
    '--public-url must not contain credentials',
    'Example: https://users.example.com',
  ],
  [
    'import-hashes users.csv --max-failures 1.5',
    'invalid --max-failures "1.5": must be a number of rows or a percentage',
    'Add --help to see how it is used.',
  ],
  // Commander takes an option of a parent in any place.
  [
    'import-hashes merge a b --job c --dry-run',
    '--dry-run is an option of import-hashes, not of import-hashes merge',
    'Add --help to see the options of import-hashes merge.',
  ],
  ['import-hashes --shard 1/2 status a', '--shard is an option of import-hashes, not of', 'Leave it out.'],
  ['plan show a --to b', '--to is an option of plan, not of plan show', 'Leave it out.'],
  ['evidence verify a --sign b', '--sign is an option of evidence, not of evidence verify', 'Leave it out.'],
  ['recipe check mine.yaml --encoding utf-8', '--encoding is for a file of users', 'Name that file'],
  ['assess users.csv --report users.csv', 'is also read by this command', 'Name another file with --report.'],
  ...['get', 'update --name x', 'disable -y'].flatMap((command) =>
    ['user-name', 'email', 'mobile', 'external-id'].map((key): [string, string, string] => [
      `${command} --by-${key} ""`,
      `--by-${key} is empty: is a shell variable unset?`,
      'Give a value',
    ]),
  ),
  ['create --user-name a --email ""', '--email is empty: is a shell', 'leave it out'],
  ['create --user-name a --extension age=', '--extension age is empty', 'leave it out'],
  ['update a --email ""', '--email is empty: is a shell', 'To clear an attribute, use --unset.'],
  ...['list --local', 'list --base-url', 'list --config', 'list --output-file', 'login --profile', 'get'].map(
    (command): [string, string, string] => [
      `${command} "_"`,
      'is empty: is a shell variable',
      'Give a value',
    ],
  ),
  ['update a --by-email "_"', '--by-email is empty: is a shell variable unset?', 'Give a value'],
  ['import-hashes merge a b --job ""', '--job is empty: is a shell variable unset?', 'leave it out'],
  ['login --client-secret-file ""', '--client-secret-file is empty', 'leave it out'],
  ['import-hashes users.csv --job ""', '--job is empty: is a shell variable unset?', 'leave it out'],
  ['update --csv ""', '--csv is empty: is a shell variable unset?', 'Give a value'],
  ['apply users.plan --require-signature ""', '--require-signature is empty', 'leave it out'],
  ['list --limit 99999999999', 'invalid --limit "99999999999": must be between 10 and 100', 'Add --help'],
  ['list --offset 99999999999', 'invalid --offset "99999999999": must be at most 999999999', 'Add --help'],
  ['list --timeout 1e9', 'invalid --timeout "1e9": must be less than 1000000', 'Add --help'],
];
