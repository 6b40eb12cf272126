import { Option } from '@commander-js/extra-typings';
import { formatNames } from '../output/formats/format.ts';
import { parseCommaList, parseDatabase, parsePositiveNumber } from './option-parsers.ts';

/** The value of `--local` for the default database. An argument of a process cannot contain this character. */
export const defaultLocal = '\0';

export const globalOptions = [
  new Option('--profile <name>', 'profile to use').helpGroup('Tenant:'),
  new Option('--base-url <url>', 'base URL of the service').conflicts('local').helpGroup('Tenant:'),
  new Option('--local [database]', 'use the embedded service on a SQLite file')
    .argParser((text) => text === defaultLocal || parseDatabase(text))
    .helpGroup('Tenant:'),
  new Option('--config <file>', 'configuration file').helpGroup('Tenant:'),
  new Option('--json', 'print JSON, including errors').helpGroup('Output:'),
  new Option('-o, --output <format>', 'output format').choices(formatNames).helpGroup('Output:'),
  new Option('--columns <names>', 'fields to print, such as user_name,extension.age')
    .argParser(parseCommaList)
    .helpGroup('Output:'),
  new Option(
    '--output-file <file>',
    'write the result to a file, which is replaced only when it is whole',
  ).helpGroup('Output:'),
  new Option('-q, --quiet', 'print only ids and results, no notices').helpGroup('Output:'),
  new Option('--progress <format>', 'print progress on stderr as lines of JSON, with --json too')
    .choices(['jsonl'] as const)
    .helpGroup('Output:'),
  new Option('--verbose', 'log each HTTP request on stderr, without secrets').helpGroup('Output:'),
  new Option('--no-color', 'disable colours and styles').helpGroup('Output:'),
  new Option('--timeout <seconds>', 'maximum wait for a connection or a response').argParser(
    parsePositiveNumber,
  ),
  new Option('-y, --yes', 'answer yes to every confirmation'),
] as const;
