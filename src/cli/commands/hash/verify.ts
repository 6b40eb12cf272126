import { existsSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import { type HashAlgorithm, hashAlgorithms } from '../../../contract/attributes.ts';
import type { HashedPassword } from '../../../contract/wire.ts';
import type { Diagnosis } from '../../../migration/hashes/diagnose.ts';
import type { RowChoice, RowPassword } from '../../../migration/input/read-row-password.ts';
import { type IssueCode, issueTable } from '../../../migration/rows/issues/issues.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { RefusedError, ReportedError, UsageError } from '../../errors/errors.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { addMappingOptions, readFileOptions } from '../../input/file-options.ts';
import { parseNumberBetween } from '../../input/option-parsers.ts';
import { askSecret, withoutEcho } from '../../input/prompts.ts';
import { readSecretOption } from '../../input/read-input.ts';
import { addPasswordOptions, secretOption, usernameOption } from '../../input/secret-options.ts';
import { formatOf, say, showUnlessTable, warn } from '../../output/show.ts';

const help = `
Password, hash and HMAC key are secrets: they are never passed as arguments and never printed. On a
terminal, you are prompted for what the options do not provide. One line ending after a secret is
ignored. Nothing is sent. Exit code 0: match; 6: no match. If a bcrypt hash does not match, up to a
dozen likely mistakes are tried, fewer above cost 12. The options for file and columns are for --csv.

Examples:
  $ tenant-users hash verify --csv legacy.csv --by-user-name ann --map hash=pwd
  $ tenant-users hash verify --algorithm md5 --hash-file hash.txt --password-stdin < password.txt`;

export const addHashVerify: AddCommand = (parent, context) => {
  const command = parent
    .command('verify')
    .description('Verify offline that a password matches a legacy hash, or diagnose the export mistake')
    .addOption(
      new Option(
        '--algorithm <name>',
        'algorithm of the hash; with --csv, default for rows without one',
      ).choices(hashAlgorithms),
    )
    .addOption(secretOption('--hash', 'a hash', '--hash-file, --hash-stdin, --csv or the prompt'))
    .option('--hash-file <file>', 'read the hash from a file')
    .addOption(new Option('--hash-stdin', 'read the hash from standard input').conflicts('hashFile'))
    .addOption(
      new Option('--csv <file>', 'take hash, algorithm and HMAC key from a row of a CSV file').conflicts([
        'hashFile',
        'hashStdin',
      ]),
    )
    .option(
      '--row <number>',
      'take this row, counted from 1 without the header',
      parseNumberBetween(1, 999_999_999),
    )
    .option('--by-user-name <name>', 'take the row with this user name')
    .addOption(usernameOption())
    .option('--key-file <file>', 'read the HMAC key from a file; with --csv, default for rows without one')
    .addOption(new Option('--key-stdin', 'read the HMAC key from standard input').conflicts('keyFile'));
  addPasswordOptions(command, '--password-file, --password-stdin or the prompt');
  addMappingOptions(command)
    .addHelpText('after', help)
    .action((options) => verify(context, options));
};

async function verify(context: CommandContext, options: VerifyOptions): Promise<void> {
  checkVerifyOptions(options);
  const { hash, password } = await withoutEcho(context, async () => ({
    hash: await readHash(context, options),
    password: await readPassword(context, options),
  }));
  const { verifyHash } = await import('../../../migration/hashes/verify.ts');
  const { diagnose } = await import('../../../migration/hashes/diagnose.ts');
  const { algorithm } = hash;
  const matches = await verifyHash(password, hash);
  const mistake = matches ? undefined : await diagnose(password, hash, context.signal);
  await showUnlessTable(context, { matches, algorithm, mistake: mistake ?? null }, columns);
  if (!matches && formatOf(context) !== 'table') throw new ReportedError(exitCodes.refused);
  if (!matches) throw mismatch(mistake);
  say(context, `The password matches the hash (${algorithm})`);
}

const columns = ['matches', 'algorithm', 'mistake.code', 'mistake.message', 'mistake.remedy'];

function mismatch(mistake: Diagnosis | undefined): RefusedError {
  const fault = 'the password does not match the hash';
  if (!mistake) return new RefusedError('HASH_MISMATCH', fault, '');
  const { code, message, remedy } = mistake;
  return new RefusedError('HASH_MISMATCH', `${fault}: ${message} (${code})`, remedy, code);
}

/** Options for reading a CSV file, named as in `import-hashes`. */
export type CsvOptions = ReturnType<ReturnType<typeof addMappingOptions<[], Record<never, never>>>['opts']>;

/** Throws a `UsageError` if options for a CSV file are given without a file. */
export function requireCsv(csv: string | undefined, options: CsvOptions): void {
  const { map, mapFile, encoding, delimiter, header, from, recipe } = options;
  const given = map ?? mapFile ?? encoding ?? delimiter ?? header ?? from ?? recipe;
  if (csv !== undefined || given === undefined) return;
  throw new UsageError(
    '--from, --recipe, --map, --map-file, --encoding, --delimiter and --header require --csv',
    'Name the file with --csv.',
  );
}

/** Where `hash verify` takes hash, password and key from. */
interface VerifyOptions extends CsvOptions {
  algorithm?: HashAlgorithm;
  hashFile?: string;
  hashStdin?: true;
  passwordFile?: string;
  passwordStdin?: true;
  keyFile?: string;
  keyStdin?: true;
  csv?: string;
  row?: number;
  byUserName?: string;
}

/** Throws a `UsageError` if an option lacks another one that it requires. */
function checkVerifyOptions(options: VerifyOptions): void {
  requireCsv(options.csv, options);
  const chosen = [options.row, options.byUserName].filter((choice) => choice !== undefined).length;
  if (options.csv === undefined) {
    if (chosen > 0)
      throw new UsageError('--row and --by-user-name require --csv', 'Name the file with --csv.');
    return;
  }
  if (chosen !== 1) throw new UsageError('--csv requires either --row or --by-user-name');
}

/** Reads the password from where the options say, or from a hidden prompt. */
async function readPassword(
  context: CommandContext,
  { passwordStdin: stdin, passwordFile: file }: VerifyOptions,
): Promise<string> {
  const given = await readGivenSecret(context, 'password', { stdin, file });
  return given ?? askSecret(context, 'Password', '--password-stdin or --password-file');
}

/** Reads the hash with its algorithm and key. Throws a `UsageError` if one is missing or invalid, and never shows them. */
async function readHash(context: CommandContext, options: VerifyOptions): Promise<HashedPassword> {
  const row = options.csv === undefined ? undefined : await readRow(context, options.csv, options);
  const { hashStdin, hashFile, keyStdin, keyFile } = options;
  const given = row?.value ?? (await readGivenSecret(context, 'hash', { stdin: hashStdin, file: hashFile }));
  const algorithm = await algorithmOf(row, given, options);
  if (row?.value === '') throw rowError(row, options, 'HASH_MISSING');
  const value = given ?? (await askSecret(context, 'Hash', '--hash-file, --hash-stdin or --csv'));
  const key = row?.key || (await readGivenSecret(context, 'key', { stdin: keyStdin, file: keyFile }));
  if (key !== undefined) return { algorithm, value, key };
  if (algorithm !== 'hmacsha256_base64_key') return { algorithm, value };
  throw new UsageError('hmacsha256_base64_key requires a key', 'Use --key-file or --key-stdin.');
}

async function readGivenSecret(
  context: CommandContext,
  what: string,
  given: { stdin: true | undefined; file: string | undefined },
): Promise<string | undefined> {
  if (given.file !== undefined) await refuseHashAsFile(given.file);
  return readSecretOption(context, what, given);
}

/** Throws a `UsageError` if the name of a missing file looks like a hash itself. */
export async function refuseHashAsFile(file: string): Promise<void> {
  const { identify } = await import('../../../migration/hashes/identify.ts');
  if (identify(file).kinds.length === 0 || existsSync(file)) return;
  throw new UsageError(
    'expected a file name, but got a hash',
    'Put the hash in a file or on standard input: other users can see arguments, and the shell keeps them in its history.',
  );
}

async function readRow(
  context: CommandContext,
  file: string,
  // The key is read only if the row has none.
  { row, byUserName = '', keyFile: _, keyStdin: __, ...options }: VerifyOptions,
): Promise<RowPassword> {
  const { readRowPassword } = await import('../../../migration/input/read-row-password.ts');
  const choice: RowChoice = row === undefined ? { userName: byUserName } : { row };
  const onOpen = (text: string) => warn(context, text);
  const how = { ...(await readFileOptions(context, options)), signal: context.signal, onOpen };
  const found = await readRowPassword(file, choice, how);
  if (found) return found;
  const what =
    row === undefined ? `no row has the user name ${JSON.stringify(byUserName)}` : `there is no row ${row}`;
  throw new UsageError(`${file}: ${what}`, 'Rows are counted from 1, without the header.');
}

/** The algorithm of the row, as in an import, or else that of the options. `value`: the hash, unless it is asked for. */
async function algorithmOf(
  row: RowPassword | undefined,
  value: string | undefined,
  options: VerifyOptions,
): Promise<HashAlgorithm> {
  const name = row?.algorithm || options.algorithm;
  const known = hashAlgorithms.find((algorithm) => algorithm === name?.toLowerCase());
  if (known) return known;
  if (row?.algorithm) throw rowError(row, options, 'ALGORITHM_UNKNOWN');
  const { foreignKind, foreignRemedy, kindsOf } = await import('../../../migration/hashes/identify.ts');
  const foreign = foreignKind(value ?? '');
  const place = row === undefined ? '' : `${options.csv ?? ''}, line ${row.line} (row ${row.row}): `;
  if (foreign)
    throw new UsageError(
      `${place}the API does not accept this hash (${foreign.format}), so no password can be checked with it`,
      foreign.remedy ?? foreignRemedy,
    );
  const possible = kindsOf(value ?? '').flatMap(({ algorithm }) => algorithm ?? []);
  const names = possible.length > 0 ? possible : hashAlgorithms;
  const which = names.length > 1 ? `one of ${names.join(', ')}` : names.join();
  throw new UsageError(
    `${place}no algorithm given`,
    `Use --algorithm with ${which}; hash identify shows which ones are possible.`,
  );
}

/** The error of a row, worded as an import words it. */
function rowError({ row, line }: RowPassword, { csv = '' }: VerifyOptions, code: IssueCode) {
  const { message, remedy } = issueTable[code];
  return new UsageError(`${csv}, line ${line} (row ${row}): ${message}`, remedy);
}
