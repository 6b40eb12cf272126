import { keyFields } from '../../../migration/actions/keys.ts';
import type { EvidenceRow } from '../../../migration/evidence/evidence-document.ts';
import { isRealJob } from '../../../migration/model/job.ts';
import type { JobStatus } from '../../../migration/model/job-status.ts';
import { rowResults } from '../../../migration/model/outcome.ts';
import { zeros } from '../../../migration/model/zeros.ts';
import { shownRows } from '../../../migration/report/texts/format.ts';
import type { AddCommand, CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { readText } from '../../input/read-input.ts';
import { countColumns, isFlat, say, showRecord, warn } from '../../output/show.ts';

const help = `
Needs neither the tenant nor the job. Exit code 0: complete, unchanged and, if a key is given, signed
with it; 3: not, and the message names the line. Without a signature, compare the digest with one that
you know. --find takes the first identifier of a row (user name, e-mail, mobile, external ID), or
user_id=ID.

Examples:
  $ tenant-users evidence verify acme.evidence
  $ tenant-users evidence verify acme.evidence auditor.pub --json
  $ tenant-users evidence verify acme.evidence --find user_name=ann`;

const resultColumns = rowResults.map((result) => `job.${result}`);
const columns = [
  'job.file',
  'job.kind',
  'job.state',
  'job.rows',
  ...resultColumns,
  'packed_at',
  'signed',
  'digest',
];

export const addEvidenceVerify: AddCommand = (parent, context) => {
  parent
    .command('verify')
    .description('Check that evidence is unchanged, complete, and signed by somebody you trust')
    .argument('<file>', 'evidence')
    .argument('[key]', 'public Ed25519 key in PEM form, or - for standard input')
    .option('--find <identifier>', 'look for the row of a person, such as user_name=ann; needs <file>.key')
    .addHelpText('after', help)
    .action(async (file: string, keyFile: string | undefined, { find }: { find?: string }) => {
      const { verifyEvidence } = await import('../../../migration/evidence/verify-evidence.ts');
      const { fingerprintsOf, readIdentifier } = await import(
        '../../../migration/evidence/evidence-lines.ts'
      );
      const sought = find === undefined ? undefined : readIdentifier(find);
      if (find !== undefined && !sought) {
        const names = ['user_id', ...keyFields].join(', ');
        throw new UsageError(
          `--find ${find} is not an identifier`,
          `Write NAME=VALUE, such as user_name=ann; names: ${names}.`,
        );
      }
      const publicPem = keyFile === undefined ? undefined : await readText(context, keyFile);
      const key = find === undefined ? undefined : (await readText(context, `${file}.key`)).trim();
      const wanted = sought === undefined || key === undefined ? undefined : fingerprintsOf(sought, key);
      const found: EvidenceRow[] = [];
      const onRow = (row: EvidenceRow) => {
        if (wanted?.has(row.key ?? '') || wanted?.has(row.user ?? '')) found.push(row);
      };
      const { head, results, digest, signed_by } = await verifyEvidence(file, { publicPem, key, onRow });
      const { job, packed_at, digests } = head;
      const signed = signed_by !== null;
      const shown = { file, valid: true, signed, signed_by, digest, packed_at, job, digests };
      // Text has every column in its place, of whatever kind the job is.
      const counts = isFlat(context) ? zeros(rowResults) : {};
      await showRecord(
        context,
        { ...shown, job: { ...counts, ...job }, ...(find ? { found } : {}) },
        countColumns(context, [shown], columns, resultColumns.slice(1)),
      );
      const in_no_row = results === job.rows ? job.in_no_row : undefined;
      const what = shownRows({ rows: results, in_no_row });
      say(context, `The evidence is complete and unchanged: ${what} of the job of ${job.file}`);
      sayJob(context, job);
      if (signed && publicPem === undefined)
        say(context, 'It is signed; give the public key of the signer to see whether it is theirs');
      for (const { row, result, earlier } of found)
        say(context, `${find}: row ${row}, ${result}${earlier ? ', before the file was corrected' : ''}`);
      if (find !== undefined && found.length === 0)
        say(context, `No row has ${find} as its first identifier`);
    });
};

/** Says where the job wrote, and whatever an auditor would not expect of an import that is done. */
function sayJob(context: CommandContext, { kind, target, state, undone_at: undone }: JobStatus): void {
  const tenant = Object.values(target).join(', client id ');
  if (tenant) say(context, `Target: ${tenant}`);
  if (!isRealJob(kind)) warn(context, `it is of a ${kind}: nothing was written to a tenant`);
  if (state !== 'finished') warn(context, `the job is ${state}: the evidence says what was done so far`);
  if (undone) warn(context, `its users were disabled by an undo at ${undone}`);
}
