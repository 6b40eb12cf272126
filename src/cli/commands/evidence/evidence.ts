import { rmSync, writeFileSync } from 'node:fs';
import { uniqueDraftOf } from '../../../migration/directory/job-files.ts';
import { renameDurably } from '../../../migration/directory/replace-file.ts';
import { quotePath } from '../../../text/shell-quote.ts';
import type { AddCommand } from '../../context/context.ts';
import { version } from '../../context/version.ts';
import { UsageError } from '../../errors/errors.ts';
import { readText } from '../../input/read-input.ts';
import { say, showRecord, warn } from '../../output/show.ts';
import { whileWriting } from '../../output/spinner.ts';
import { addEvidenceVerify } from './verify.ts';

const help = `
It has counts, digests, the results of known passwords, and a line for each row: its result, and keyed
fingerprints in place of its first identifier and its user id. Each line is linked to the one before.
FILE.key is the key of the fingerprints: only with it can anybody find out whether a person whom they
name is in the evidence. Keep it apart, or delete it.

Examples:
  $ tenant-users evidence legacy.csv.import --to acme.evidence
  $ tenant-users evidence legacy.csv.import --to acme.evidence --sign auditor.pem`;

const columns = ['file', 'rows', 'signed', 'digest'];

export const addEvidence: AddCommand = (parent, context) => {
  const command = parent
    .command('evidence')
    .description('Pack evidence of what a job did, without personal data')
    .argument('<directory>', 'job directory, or plan directory of an applied plan')
    .option('--to <file>', 'file for the evidence (required); it must not be there yet')
    .option('--sign <key>', 'sign it with this private Ed25519 key in PEM form')
    .addHelpText('after', help)
    .action(async (directory, { to, sign }) => {
      if (to === undefined)
        throw new UsageError('no file given for the evidence', 'Name one with --to FILE.');
      const { packJob } = await import('../../../migration/evidence/pack-evidence.ts');
      const { newFingerprintKey } = await import('../../../migration/actions/fingerprints.ts');
      const privatePem = sign === undefined ? undefined : await readText(context, sign);
      const keyFile = `${to}.key`;
      const interrupted = `Interrupted: ${to} was not written`;
      const { state, ...packed } = await whileWriting(
        context,
        'Packing the evidence',
        interrupted,
        async () => {
          for (const file of [to, keyFile]) requireNew(file);
          const key = newFingerprintKey();
          const draft = uniqueDraftOf(to);
          const { signal, now } = context;
          const packed = await packJob(directory, { to: draft, privatePem, key, version, signal, now });
          const made = [draft];
          try {
            // Last, and first the key: evidence whose key cannot be written would be useless.
            writeFileSync(keyFile, `${key}\n`, { flag: 'wx', mode: 0o600 });
            made.push(keyFile);
            renameDurably(draft, to);
            return packed;
          } catch (failure) {
            for (const file of made) rmSync(file, { force: true });
            throw failure;
          }
        },
      );
      await showRecord(context, { file: to, key_file: keyFile, ...packed }, columns);
      if (state !== 'finished') warn(context, `the job is ${state}: the evidence says what was done so far`);
      say(context, `Keep ${keyFile} in another place, or delete it: it can link a fingerprint to a person`);
      say(context, `Next:\n  tenant-users evidence verify ${quotePath(to)}`);
    });
  addEvidenceVerify(command, context);
};

/** Throws the error of the system if a file is there, which stays what it is, or cannot be written. */
function requireNew(file: string): void {
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  rmSync(file);
}
