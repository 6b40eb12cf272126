import { Option } from '@commander-js/extra-typings';
import { hashAlgorithms } from '../../../contract/attributes.ts';
import type { Diagnosis } from '../../../migration/hashes/diagnose.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { RefusedError, ReportedError } from '../../errors/errors.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { addMappingOptions } from '../../input/file-options.ts';
import { parseNumberBetween } from '../../input/option-parsers.ts';
import { withoutEcho } from '../../input/prompts.ts';
import { addPasswordOptions, secretOption, usernameOption } from '../../input/secret-options.ts';
import { formatOf, say, showUnlessTable } from '../../output/show.ts';
import { checkVerifyOptions, readHash, readPassword, type VerifyOptions } from './read-hash.ts';

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
