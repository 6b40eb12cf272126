import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { errorCode } from '../../../text/error-code.ts';
import type { ReasonCode } from '../../actions/reasons.ts';
import { pathIn } from '../../directory/job-files.ts';
import { changedPlan, PlanError } from '../../model/errors.ts';
import { readEarlierRun } from '../../records/read-earlier-run.ts';
import { readAgain, readAll, watchBlocks } from '../../source/read-blocks.ts';
import { readPlan } from './plan-document.ts';
import type { ActionLine, Plan } from './plan-schemas.ts';

export type CheckedActions = Awaited<ReturnType<typeof openCheckedActions>>;

/** Opens the actions of a plan. Throws a `PlanError` unless they are, byte for byte, those that the plan was made with. */
export async function openCheckedActions(directory: string, digest: string) {
  const path = pathIn(directory, 'actions.jsonl');
  let handle: FileHandle;
  try {
    handle = await open(path);
  } catch (failure) {
    if (errorCode(failure) === undefined) throw failure;
    await refusePurged(directory);
    throw changedActions(path);
  }
  const { blocks, digests } = watchBlocks(readAll(handle));
  // Only their digests are needed.
  for await (const _ of blocks);
  const found = digests();
  if (found.whole !== digest) {
    await handle.close();
    throw changedActions(path);
  }
  return {
    /** Reads the actions, in order. Throws a `PlanError` before it yields one that was changed since they were opened. */
    read: () => parseLines(Readable.from(readAgain(handle, found, () => changedActions(path)))),
    close: () => handle.close(),
  };
}

/** Throws a `PlanError` unless `actions.jsonl` exists and is, byte for byte, the file that the plan was made with. */
export async function checkActions(directory: string, digest: string): Promise<void> {
  const actions = await openCheckedActions(directory, digest);
  await actions.close();
}

/** Throws a `PlanError` if the actions were deleted with the personal data of an applied plan, so that they were not changed. */
async function refusePurged(directory: string): Promise<void> {
  const earlier = await readEarlierRun(directory);
  if (earlier?.purged === undefined) return;
  throw new PlanError(
    'PLAN_APPLIED',
    `${directory}: its personal data was deleted at ${earlier.purged}, and the actions with it`,
    'The plan was applied. What it did is in the evidence.jsonl of its directory.',
  );
}

function changedActions(path: string): PlanError {
  return changedPlan(`${path}: the actions were changed after the plan was made`);
}

/**
 * Yields the rows of a plan, applied or not, with a known user whom the plan did not find as the row says, and the users who are in no
 * row, which follow those of the file; none if there is no plan. `staysDifferent`: even when the action is carried out, the user may
 * be different from the row. Throws a `PlanError` if the plan was changed.
 */
export async function* readDifferentUsers(directory: string) {
  if (!existsSync(pathIn(directory, 'actions.jsonl'))) return;
  const plan = readPlan(directory);
  let row = 0;
  for await (const line of readActions(directory, plan.actions)) {
    row += 1;
    const { action, reason, user_id, earlier_user_id: userId = user_id } = line;
    const staysDifferent = line.row === null || isDifferentAfter(line, plan.options);
    // The row may be about somebody else than the user whom it names.
    const isKnown = userId !== undefined && reason !== keyChangedReason;
    if (isKnown && (staysDifferent || action === 'update' || action === 'disable'))
      yield { row, userId, staysDifferent };
  }
}

/** True if the action does not make the user as the row says. Fields that nobody asked to update are not in the line of an update. */
function isDifferentAfter(
  { action, reason, fields = [], unchangeable = [] }: ActionLine,
  { update, disable_all: disableAll }: Plan['options'],
): boolean {
  if (action === 'create' || reason === unchangedReason) return false;
  // It disables users of rows that do not say so.
  if (disableAll) return true;
  if (action === 'update') return update !== 'all' || unchangeable.length > 0;
  return fields.length > 0 || (action !== 'same' && action !== 'disable');
}

const unchangedReason: ReasonCode = 'UNCHANGED';
const keyChangedReason: ReasonCode = 'KEY_CHANGED';

const pageLength = 500;

/** Collects items into lists; the last one may be short or empty. */
export async function* inPages<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[], void> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < pageLength) continue;
    yield page;
    page = [];
  }
  yield page;
}

/** Reads the actions of a plan, in order. Throws a `PlanError` before it yields one that was changed since the plan was made. */
export async function* readActions(directory: string, digest: string): AsyncGenerator<ActionLine, void> {
  const actions = await openCheckedActions(directory, digest);
  try {
    yield* actions.read();
  } finally {
    await actions.close();
  }
}

async function* parseLines(input: Readable): AsyncGenerator<ActionLine, void> {
  try {
    for await (const line of createInterface({ input })) yield JSON.parse(line) as ActionLine;
  } finally {
    input.destroy();
  }
}
