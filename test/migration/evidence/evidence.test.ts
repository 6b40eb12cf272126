import { createHash, generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFingerprintKey } from '../../../src/migration/actions/fingerprints.ts';
import { chainLine, linkOf } from '../../../src/migration/evidence/evidence-lines.ts';
import { packJob } from '../../../src/migration/evidence/pack-evidence.ts';
import { verifyEvidence } from '../../../src/migration/evidence/verify-evidence.ts';
import { goodHashes } from '../hashes.ts';
import { importFile, inDirectory, recordingClient } from '../run-import.ts';

/** A key whose last bits are 0: a lenient parser would read DER that counts these bits as unused as the same key. */
function keysWithEvenEnd() {
  for (;;) {
    const pair = generateKeyPairSync('ed25519');
    const spki = pair.publicKey.export({ type: 'spki', format: 'der' });
    if ((spki.at(-1) ?? 1) % 4 === 0) return pair;
  }
}

const { privateKey, publicKey } = keysWithEvenEnd();
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const rows = `user_name,algorithm,hash\nann-0417,md5,${goodHashes.md5}\nbob-0417,md5,x\ncid-0417,md5,${goodHashes.md5}\n`;
const common = { version: '1.0.0', now: () => Date.UTC(2026, 0, 2) };

/** The evidence of an import of three rows, one of which is invalid, in a directory that is deleted afterwards. */
async function withEvidence(
  use: (evidence: { file: string; key: string; text: string }) => Promise<void>,
  signed = true,
): Promise<void> {
  await inDirectory(async (directory) => {
    const [source, jobDirectory, file] = [
      join(directory, 'legacy.csv'),
      join(directory, 'job'),
      join(directory, 'a'),
    ];
    await writeFile(source, rows);
    await importFile(recordingClient(), { file: source, jobDirectory });
    const key = newFingerprintKey();
    await packJob(jobDirectory, {
      to: file,
      key,
      ...common,
      ...(signed ? { privatePem } : {}),
    });
    await use({ file, key, text: await readFile(file, 'utf8') });
  });
}

const faultOf = (file: string, pem?: string) =>
  verifyEvidence(file, { publicPem: pem }).then(
    () => '',
    (failure: Error & { code?: string }) => `${failure.code} ${failure.message.replace(file, 'FILE')}`,
  );

/**
 * A second verifier, written from the documentation: each link is the SHA-256 of the one before and of its own line
 * without the link.
 */
function lastLink(text: string): string {
  let link = '';
  for (const line of text.split('\n')) {
    const found = /^(.*),"link":"(.{43})"\}$/.exec(line);
    if (!found) continue;
    const own = createHash('sha256').update(`${link}\n${found[1]}}`).digest('base64url');
    if (own !== found[2]) throw new Error(line);
    link = own;
  }
  return link;
}

test('evidence can be verified offline, counts the outcomes of the job, and contains no names', async () => {
  await withEvidence(async ({ file, key, text }) => {
    const { head, digest, signed_by } = await verifyEvidence(file, { publicPem });
    expect(head.job).toMatchObject({
      state: 'finished',
      file: 'legacy.csv',
      job: 'job',
      created: 2,
      invalid: 1,
    });
    expect(head.digests.source).toBe(createHash('sha256').update(rows).digest('hex'));
    expect(Object.keys(head.digests.records)).toEqual([
      'failures.csv',
      'report.html',
      'summary.json',
      'users.csv',
    ]);
    expect(digest).toBe(lastLink(text));
    expect(signed_by).toBe(publicKey.export({ type: 'spki', format: 'der' }).toString('base64'));
    // With the dash and the quote, since digits alone occur in digests by chance.
    expect(text).not.toMatch(/-0417|"id-\d/);
    expect(text).not.toContain(key);
  });
});

test('a flipped bit of any byte is reported with its line', async () => {
  await withEvidence(async ({ file, text }) => {
    const bytes = Buffer.from(text);
    const missed: string[] = [];
    const secondLine = bytes.indexOf(10) + 1;
    // The first line is long, and similar to the others.
    for (let at = 0; at < bytes.length; at += at < secondLine - 4 ? 4 : 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(file, changed);
      const line = bytes.subarray(0, at).toString('latin1').split('\n').length;
      const fault = await faultOf(file);
      const isNamed =
        line > 5 ? /^EVIDENCE_(SIGNATURE|CHANGED) / : new RegExp(`^EVIDENCE_CHANGED FILE, line ${line}: `);
      if (!isNamed.test(fault)) missed.push(`${at}: ${fault}`);
    }
    expect(missed).toEqual([]);
  });
});

test('other bytes of the same public key are rejected', async () => {
  await withEvidence(async ({ file, text }) => {
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    const other = Buffer.from(spki);
    // The byte that counts the unused bits of the key.
    other[11] = 1;
    await writeFile(file, text.replace(spki.toString('base64'), other.toString('base64')));
    expect(await faultOf(file)).toBe(
      'EVIDENCE_SIGNATURE FILE: the signature does not belong to this evidence',
    );
  });
});

test.each<[string, (lines: string[]) => string[], RegExp]>([
  ['a line that was removed', (lines) => lines.toSpliced(2, 1), /line 3: row 3: it was changed, or the line/],
  [
    'two lines in another order',
    ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest],
    /line 2: row 2: /,
  ],
  ['a line twice', ([a = '', b = '', ...rest]) => [a, b, b, ...rest], /line 3: row 1: /],
  ['the end cut off', (lines) => lines.slice(0, 4), /line 5: the end is missing/],
  [
    'the signature cut off',
    (lines) => lines.slice(0, 5),
    /EVIDENCE_SIGNATURE FILE: the signature is missing/,
  ],
  ['something behind it', (lines) => [...lines, '{}'], /line 7: there are lines after the end/],
  ['nothing at all', () => [], /line 1: the first line is missing/],
])('the verifier finds %s', async (_, change, fault) => {
  await withEvidence(async ({ file, text }) => {
    const lines = change(text.trimEnd().split('\n'));
    await writeFile(file, lines.map((line) => `${line}\n`).join(''));
    expect(await faultOf(file)).toMatch(fault);
  });
});

test('a forged chain with a correct form has other counts than its first line, and another signature', async () => {
  await withEvidence(async ({ file, text }) => {
    const lines = text.trimEnd().split('\n');
    const anew = (edit: (body: object, index: number) => object) => {
      const bodies = lines.slice(0, 5).map((line, index) => {
        const { link: _, ...body } = JSON.parse(line);
        return edit(body, index);
      });
      return `${chainOf(bodies)}${lines[5]}\n`;
    };
    await writeFile(
      file,
      anew((body, index) => (index === 2 ? { ...body, result: 'created' } : body)),
    );
    expect(await faultOf(file)).toContain(
      'the first line counts 2 created, and there are 3 (and 1 more fault)',
    );
    await writeFile(
      file,
      anew((body, index) => (index === 1 ? { ...body, algorithm: 'sha256' } : body)),
    );
    expect(await faultOf(file)).toBe(
      'EVIDENCE_SIGNATURE FILE: the signature does not belong to this evidence',
    );
  });
});

test('a line of a correct chain that is no JSON is reported with its number', async () => {
  await withEvidence(async ({ file, text }) => {
    const [first = ''] = text.split('\n');
    const { link } = JSON.parse(first) as { link: string };
    const body = '{"row":1,no JSON}';
    await writeFile(file, `${first}\n${body.slice(0, -1)},"link":"${linkOf(link, body)}"}\n`);
    expect(await faultOf(file)).toBe(
      'EVIDENCE_CHANGED FILE, line 2: row 1: it is not a line of evidence, or it was changed',
    );
  });
});

test('with a public key given, the evidence must be signed with it', async () => {
  const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await withEvidence(async ({ file }) => {
    expect(await faultOf(file, other)).toBe(
      'EVIDENCE_SIGNATURE FILE: the evidence is signed with another key',
    );
    expect(await faultOf(file, 'no key')).toContain('the key is not a public Ed25519 key');
  });
  await withEvidence(async ({ file }) => {
    expect(await faultOf(file)).toBe('');
    expect(await faultOf(file, publicPem)).toBe('EVIDENCE_SIGNATURE FILE: the evidence is not signed');
  }, false);
});

/** The text of a chain of these lines, as anybody can write one. */
function chainOf(bodies: readonly object[]): string {
  let last = '';
  const lines = bodies.map((body) => {
    const { line, link } = chainLine(last, body);
    last = link;
    return line;
  });
  return lines.join('');
}

test.each<[string, (head: object, others: object[]) => object[], string]>([
  [
    'a second first line does not replace the first',
    (head, [a = {}, ...rest]) => [head, a, { ...head, packed_at: 'never' }, ...rest],
    'line 3: it is a second first line, and evidence is of one job only',
  ],
  [
    'a first line without the job is refused',
    ({ ...head }, others) => [{ ...head, job: undefined }, ...others],
    'line 1: it does not say which job the evidence is of',
  ],
  [
    'a chain without a first line is refused',
    (_, others) => others,
    'line 1: it does not say which job the evidence is of',
  ],
])('in a chain of correct form, %s', async (_, change, fault) => {
  await withEvidence(async ({ file, text }) => {
    const [head = {}, ...others] = text
      .trimEnd()
      .split('\n')
      .map((line): object => {
        const { link: _, ...body } = JSON.parse(line);
        return body;
      });
    await writeFile(file, chainOf(change(head, others)));
    expect(await faultOf(file)).toContain(`EVIDENCE_CHANGED FILE, ${fault}`);
  }, false);
});
