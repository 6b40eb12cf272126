import { Option } from '@commander-js/extra-typings';
import { type FormatName, formatNames } from './formats/formats.ts';
import { commaList, positiveNumber } from './parse.ts';
import { parseDatabase } from './parse-database.ts';

/** Options that every command accepts, before its name and after. */
export interface GlobalOptions {
  profile?: string;
  baseUrl?: string;
  /** A database, or `true` for the default one. */
  local?: string | true;
  json?: true;
  output?: FormatName;
  columns?: string[];
  quiet?: true;
  /** A line on stderr for each HTTP exchange. */
  verbose?: true;
  /** Seconds. */
  timeout?: number;
  config?: string;
  yes?: true;
  /** False with `--no-color`; what else decides on colours is in `styles.ts`. */
  color?: boolean;
}

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
