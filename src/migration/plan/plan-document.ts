import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import type { KeyField } from '../actions/keys.ts';
import type { ActionKind, ChangingKind, ReasonCode } from '../actions/reasons.ts';
import type { InputOptions } from '../input/open-input.ts';
import { sha256 } from '../model/digests.ts';
import { PlanError } from '../model/errors.ts';
import type { Preview } from '../model/preview.ts';

/** Files of a plan directory. */
export const planFiles = {
  plan: 'plan.json',
  actions: 'actions.jsonl',
  page: 'plan.html',
  key: 'plan.key',
  signature: 'plan.sig',
} as const;

/** What a plan counts: the actions, the rows that fail the checks, and those that the recipe leaves out. */
export type PlannedKind = ActionKind | 'invalid' | 'skipped';

/** How the file is read, with the recipe; but for the HMAC key, which is never stored. */
export type FileReading = Omit<InputOptions, 'key' | 'signal' | 'onUnknownValue'>;

/** A plan: what is to be done for each row of a file, bound to the file, its mapping and the tenant. */
export interface Plan {
  version: 1;
  /** Version of the program that made it. */
  program: string;
  made_at: string;
  /** The file whose rows it is about; of an undo the one that the job imported, which is not read again. */
  file: { path: string; digest: string; rows: number };
  /** Of an undo: a plan that disables the users whom a job created. */
  undoes?: UndoneJob;
  reading: FileReading;
  /** Digest of everything that changes what is sent: mapping, constants, key, flags. */
  mapping: string;
  /** The tenant, such as base URL and client id. */
  target: Readonly<Record<string, string>>;
  options: {
    key: KeyField | null;
    update: readonly string[] | 'all' | null;
    disable_missing: boolean;
    only: ChangingKind | null;
  };
  /** Of a plan of what changed since the file of an earlier job: its directory, rows as they were, and users who are in no row any more. */
  since?: { job: string; unchanged: number; vanished: number };
  /** Users of the tenant when the plan was made. */
  users: number;
  /** How the tenant was asked, and why. */
  asked: string;
  totals: Record<PlannedKind, number>;
  reasons: { [Code in ReasonCode]?: number };
  /** Of the users to be created. */
  people: Preview;
  /** Requests that applying it takes, at least, and how long at the pace of the reading. */
  forecast: { requests: number; seconds: number };
  /** SHA-256 of `actions.jsonl`, and of the key of its fingerprints. */
  actions: string;
  key: string;
  /** Values of rows are in the actions. */
  with_values: boolean;
  /** SHA-256 of this document without this line, in canonical form (RFC 8785). */
  digest: string;
}

/** The job that an undo is of. */
export interface UndoneJob {
  /** Its directory. */
  job: string;
  /** Users who have logged in or were changed since are disabled too. */
  with_active: boolean;
  /** Rows that may have been sent and have no outcome: their users, if there are any, are not in the plan. */
  unresolved: number;
  /** Users who were there before and whom the job updated or disabled, which stays. */
  kept: number;
}

/** How many actions a plan has, those included that do nothing. */
export function countActions({ totals }: Pick<Plan, 'totals'>): number {
  return Object.values(totals).reduce((sum, count) => sum + count, 0);
}

/** Throws a `PlanError` that names what differs between two targets. */
export function requireTarget(was: string, before: Plan['target'], now: Plan['target']): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [old, current] = [before[name] ?? 'not set', now[name] ?? 'not set'];
    if (old === current) continue;
    const fault = `${was} another tenant: ${name} was ${old} and is ${current} now`;
    throw new PlanError('PLAN_TARGET', fault, '');
  }
}

/** Puts the digest on a plan. */
export function sealPlan(plan: Omit<Plan, 'digest'>): Plan {
  return { ...plan, digest: sha256(canonicalText(plan)) };
}

/** A document in the one form that its bytes can have (RFC 8785). */
export function canonicalText(document: object): string {
  const text = canonicalize(document);
  if (text === undefined) throw new TypeError('not a JSON document');
  return text;
}

/** Reads the plan of a directory. Throws a `PlanError` where it is none, or where a byte of it has changed. */
export function readPlan(directory: string): Plan {
  const path = join(directory, planFiles.plan);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new PlanError(
      'PLAN_CHANGED',
      `${directory}: there is no plan in this directory`,
      'Make one with: tenant-users plan FILE',
    );
  }
  const plan = parsed(text);
  const { digest, ...rest } = plan ?? {};
  if (!plan || canonicalText(plan) !== text || digest !== sha256(canonicalText(rest))) {
    throw new PlanError(
      'PLAN_CHANGED',
      `${path}: the plan was changed after it was made`,
      'Make the plan again.',
    );
  }
  if (plan.version !== 1) {
    throw new PlanError(
      'PLAN_CHANGED',
      `${path}: the plan was made by another version of this program`,
      'Make the plan again.',
    );
  }
  return plan;
}

function parsed(text: string): Plan | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' && document !== null ? (document as Plan) : undefined;
  } catch {
    return undefined;
  }
}
