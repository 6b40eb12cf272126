import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { quotePath } from '../../../text/shell-quote.ts';
import { pathIn } from '../../directory/job-files.ts';
import { digestFile } from '../../model/digests.ts';
import { changedPlan, PlanError } from '../../model/errors.ts';
import { canonicalText } from './plan-document.ts';
import type { Plan } from './plan-schemas.ts';
import { renderPlan } from './render-plan.ts';

type Fail = (fault: string, hint: string) => Error;

const failPlan: Fail = (fault, hint) => new PlanError('PLAN_SIGNATURE', fault, hint);

/** Reads an Ed25519 key from PEM text. For anything else, throws what `fail` makes; the error contains nothing of the text. */
export function keyFrom(pem: string, kind: 'private' | 'public', fail: Fail = failPlan): KeyObject {
  const wrong = fail(
    `the key is not a ${kind} Ed25519 key in PEM form`,
    'Make a pair with: openssl genpkey -algorithm ed25519 -out approver.pem; openssl pkey -in approver.pem -pubout -out approver.pub',
  );
  try {
    const key = kind === 'private' ? createPrivateKey(pem) : createPublicKey(pem);
    if (key.asymmetricKeyType === 'ed25519' && (kind === 'private' || !pem.includes('PRIVATE'))) return key;
  } catch {
    throw wrong;
  }
  throw wrong;
}

/**
 * Throws a `PlanError` if `plan.html` is not the page of the plan: whoever approves a plan may have read only that. No page at all
 * misleads nobody: then returns false.
 */
export function checkPage(directory: string, plan: Plan): boolean {
  const path = pathIn(directory, 'plan.html');
  if (!existsSync(path)) return false;
  if (readFileSync(path, 'utf8') === renderPlan(plan)) return true;
  throw new PlanError(
    'PLAN_CHANGED',
    `${path}: this is not the page of the plan: it was changed, or another version of this program made it`,
    `Delete the page, and read the plan with: tenant-users plan show ${quotePath(directory)}`,
  );
}

/**
 * Throws a `PlanError` if `vanished.csv` or `plan.key` is not that of the plan: whoever approves a plan may have read the list, and
 * users are disabled by it. Without them, which are not always passed on, nobody is misled.
 */
export async function checkListAndKey(directory: string, { since, key }: Plan): Promise<void> {
  for (const [name, digest, fault] of [
    ['vanished.csv', since?.list, 'this is not the list of the plan: it was changed'],
    ['plan.key', key, 'the key of the plan is not what it was'],
  ] as const) {
    const path = pathIn(directory, name);
    if (existsSync(path) && (await digestFile(path)) !== digest) throw changedPlan(`${path}: ${fault}`);
  }
}

/** Signs the bytes of a plan, so that the public key proves that exactly this plan was approved. */
export function signPlan(directory: string, plan: Plan, privatePem: string): void {
  const signature = sign(null, signedBytes(plan), keyFrom(privatePem, 'private'));
  const path = pathIn(directory, 'plan.sig');
  // A link there would lead to another file, which it is not to overwrite.
  rmSync(path, { force: true });
  writeFileSync(path, `${signature.toString('base64')}\n`, { flag: 'wx' });
}

/** Throws a `PlanError` unless the plan of the directory is signed with the private key of this public key. */
export function verifyPlan(directory: string, plan: Plan, publicPem: string): void {
  const path = pathIn(directory, 'plan.sig');
  const key = keyFrom(publicPem, 'public');
  if (!existsSync(path)) {
    throw new PlanError(
      'PLAN_SIGNATURE',
      `${directory}: the plan is not signed`,
      'Sign it with: tenant-users plan sign DIRECTORY KEY',
    );
  }
  const text = readFileSync(path, 'utf8');
  const signature = Buffer.from(text, 'base64');
  const isCanonical = `${signature.toString('base64')}\n` === text;
  if (!isCanonical || !verify(null, signedBytes(plan), key, signature)) {
    throw new PlanError(
      'PLAN_SIGNATURE',
      `${directory}: the signature does not belong to this plan and this key`,
      'The plan or the signature was changed after the approval, or another key signed it. Have the plan approved again.',
    );
  }
}

/** The bytes of `plan.json`, from the plan that was read: the file may have been replaced meanwhile. */
function signedBytes(plan: Plan): Buffer {
  return Buffer.from(`tenant-users plan 1\n${canonicalText(plan)}`);
}
