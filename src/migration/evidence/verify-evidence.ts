import { createPublicKey, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { isRecord } from '../../contract/is-record.ts';
import { parseJson } from '../../contract/parse-json.ts';
import { errorCode } from '../../text/error-code.ts';
import { formatCount } from '../../text/format-count.ts';
import { sha256 } from '../model/digests.ts';
import { EvidenceError } from '../model/errors.ts';
import { finalResults, type RowResult } from '../model/outcome.ts';
import { keyFrom } from '../plan/document/signature.ts';
import type { EvidenceEnd, EvidenceHead, EvidenceRow, EvidenceSignature } from './evidence-document.ts';
import { linkOf, publicText, signedText, splitLine } from './evidence-lines.ts';
import { wrongKey } from './pack-evidence.ts';

/** Maximum number of faults that a message counts. */
const mostFaults = 100;

/**
 * Verifies evidence without the job or the tenant: every line, that none is missing, that the counts are those of the rows, and the
 * signature. Throws an `EvidenceError` that names the line. `publicPem`: of the key whose private key must have signed the evidence;
 * `key`: the fingerprints must have been made with it; `onRow`: called with every row. Returns how many rows of the job have a result, the last link as `digest`, which
 * stands for every byte before it, and the signer's public key (DER in base64), `null` if the evidence is not signed.
 */
export async function verifyEvidence(
  file: string,
  {
    publicPem,
    key,
    onRow,
  }: { publicPem?: string | undefined; key?: string | undefined; onRow?: (row: EvidenceRow) => void } = {},
) {
  const publicKey = publicPem === undefined ? undefined : keyFrom(publicPem, 'public', wrongKey);
  const { head, isSigned, signature, link, results } = await readChain(file, onRow);
  if (key !== undefined && sha256(key) !== head.fingerprint_key) {
    const hint =
      'With another key nobody would be found. It was written beside the evidence when that was packed.';
    throw new EvidenceError('EVIDENCE_CHANGED', `${file}.key: it is not the key of this evidence`, hint);
  }
  const signedBy = isSigned ? signerOf(file, signature, link) : null;
  if (publicKey && !signedBy)
    throw wrongKey(`${file}: the evidence is not signed`, 'Pack it again with --sign KEY.');
  if (publicKey && signedBy !== publicText(publicKey)) {
    throw wrongKey(
      `${file}: the evidence is signed with another key`,
      'Ask who signed it for their public key.',
    );
  }
  return { head, results, digest: link, signed_by: signedBy };
}

/** Reads the whole chain of lines, and checks every link and the counts. Throws an `EvidenceError` that names the line. */
async function readChain(file: string, onRow?: (row: EvidenceRow) => void) {
  const faults: string[] = [];
  const counts = new Map<RowResult, number>();
  let head: EvidenceHead | undefined;
  let end: EvidenceEnd | undefined;
  let signature: string | undefined;
  let [link, number, rows] = ['', 0, 0];
  const fault = (what: string) => void (faults.length < mostFaults && faults.push(`line ${number}: ${what}`));

  for await (const line of linesOf(file)) {
    number += 1;
    if (end) {
      if (signature === undefined && end.signed) signature = line.toString('utf8');
      else fault('there are lines after the end');
      continue;
    }
    const split = splitLine(line);
    if (!split) {
      fault(noLine);
      continue;
    }
    const isWhole = linkOf(link, split.body) === split.link;
    link = split.link;
    if (!isWhole) {
      fault(`${rowIn(split.body)}it was changed, or the line before it was changed or removed`);
      continue;
    }
    // Anybody can write something else in a chain of their own.
    const body = parseJson(split.body.toString('utf8')) as
      | EvidenceHead
      | EvidenceRow
      | EvidenceEnd
      | undefined;
    if (!body) fault(`${rowIn(split.body)}${noLine}`);
    else if (number === 1) {
      if ('evidence' in body && isRecord(body.job) && Number.isInteger(body.job.rows)) head = body;
      else fault('it does not say which job the evidence is of');
    } else if ('evidence' in body) fault('it is a second first line, and evidence is of one job only');
    else if ('end' in body) end = body;
    else {
      rows += 1;
      if (!body.earlier) counts.set(body.result, (counts.get(body.result) ?? 0) + 1);
      onRow?.(body);
    }
  }
  number += 1;
  if (faults.length === 0) {
    if (!head) fault('the first line is missing');
    else if (!end) fault('the end is missing');
    else for (const difference of miscounts(head, end, rows, counts)) fault(difference);
  }
  if (!head || !end || faults.length > 0) throw changedEvidence(file, faults);
  const results = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { head, isSigned: end.signed, signature, link, results };
}

const noLine = 'it is not a line of evidence, or it was changed';

/** Returns where the counts of the first and the last line differ from those of the rows. */
function miscounts(
  head: EvidenceHead,
  end: EvidenceEnd,
  rows: number,
  counts: ReadonlyMap<RowResult, number>,
): string[] {
  const differences = end.rows === rows ? [] : [`the end counts ${end.rows} rows, and there are ${rows}`];
  for (const result of finalResults) {
    const said = head.job[result] ?? 0;
    const found = counts.get(result) ?? 0;
    if (said !== found) differences.push(`the first line counts ${said} ${result}, and there are ${found}`);
  }
  return differences;
}

function changedEvidence(file: string, [first = 'it is empty', ...more]: readonly string[]): EvidenceError {
  const others = more.length === 0 ? '' : ` (and ${formatCount(more.length, 'more fault')})`;
  const hint = 'Do not rely on this file: ask for the original.';
  return new EvidenceError('EVIDENCE_CHANGED', `${file}, ${first}${others}`, hint);
}

function rowIn(body: Buffer): string {
  const found = /^\{"row":(\d+),/.exec(body.subarray(0, 40).toString('latin1'));
  return found ? `row ${found[1]}: ` : '';
}

/** Returns the public key of the signer. Throws unless the line is, byte for byte, the signature of the last link. */
function signerOf(file: string, line: string | undefined, link: string): string {
  const wrong = new EvidenceError(
    'EVIDENCE_SIGNATURE',
    line === undefined
      ? `${file}: the signature is missing`
      : `${file}: the signature does not belong to this evidence`,
    'The signature or its key was changed: ask for the file as it was packed.',
  );
  try {
    const { signature, public_key } = JSON.parse(line ?? '') as EvidenceSignature;
    const [bytes, spki] = [Buffer.from(signature, 'base64'), Buffer.from(public_key, 'base64')];
    const key = createPublicKey({ key: spki, type: 'spki', format: 'der' });
    // Several encodings can stand for one key: DER allows unused bits at the end.
    const canonical = { signature: bytes.toString('base64'), public_key: publicText(key) };
    const isWhole = JSON.stringify(canonical) === line && key.asymmetricKeyType === 'ed25519';
    if (isWhole && verify(null, signedText(link), key, bytes)) return public_key;
  } catch {
    throw wrong;
  }
  throw wrong;
}

/** Yields the lines of a file as bytes. Text after the last line break is a line, too, but made invalid by an ellipsis. */
async function* linesOf(file: string): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
      const bytes = rest.length === 0 ? part : Buffer.concat([rest, part]);
      let from = 0;
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
        yield bytes.subarray(from, at);
        from = at + 1;
      }
      rest = bytes.subarray(from);
    }
  } catch (failure) {
    const code = errorCode(failure);
    if (code === undefined) throw failure;
    throw new EvidenceError('EVIDENCE_CHANGED', `${file}: it cannot be read (${code})`, '');
  }
  if (rest.length > 0) yield Buffer.concat([rest, Buffer.from('…')]);
}
