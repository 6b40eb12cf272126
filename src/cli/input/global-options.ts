import { Option } from '@commander-js/extra-typings';
import { formatNames } from '../output/formats/format.ts';
import { commaList, parseDatabase, positiveNumber } from './option-parsers.ts';

/** The options as the program declares them. */
export const globalOptions = [
  new Option('--profile <name>', 'profile to use'),
  new Option('--base-url <url>', 'address of the service'),
  new Option('--local [database]', 'use the embedded service on a SQLite file').argParser(parseDatabase),
  new Option('--json', 'print JSON, also for errors'),
  new Option('-o, --output <format>', 'how to print the result').choices(formatNames),
  new Option(
    '--columns <names>',
    'fields to show, in every format, such as user_name,extension.age',
  ).argParser(commaList),
  new Option('-q, --quiet', 'say nothing but the result and errors'),
  new Option('--verbose', 'write a line for each HTTP exchange on stderr, without secrets'),
  new Option('--timeout <seconds>', 'longest wait for a connection or an answer').argParser(positiveNumber),
  new Option('--config <file>', 'configuration file'),
  new Option('--no-color', 'print without colours and styles'),
  new Option('-y, --yes', 'answer every confirmation with yes'),
] as const;
