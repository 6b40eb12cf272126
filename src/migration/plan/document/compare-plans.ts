import type { PlannedKind } from '../../actions/reasons.ts';
import { checkActions, inPages, readActions } from './action-lines.ts';
import { readPlan } from './plan-document.ts';
import type { ActionChange, ActionLine } from './plan-schemas.ts';

/** Finds what changed between two plan directories. Throws a `PlanError` if one of the plans was changed after it was made. */
export async function comparePlans(before: string, after: string) {
  const [was, is] = [readPlan(before), readPlan(after)];
  // At once: the changes are read when they are shown.
  await checkActions(before, was.actions);
  await checkActions(after, is.actions);
  const kinds = Object.keys(was.totals) as PlannedKind[];
  const isSameFile = was.file.digest === is.file.digest && was.mapping === is.mapping;
  return {
    /** True if both plans are of the same file and mapping; only then are rows compared. */
    isSameFile,
    totals: Object.fromEntries(
      kinds.map((kind) => [kind, { before: was.totals[kind], after: is.totals[kind] }]),
    ) as Record<PlannedKind, { before: number; after: number }>,
    changes: inPages(
      isSameFile ? compareLines(readActions(before, was.actions), readActions(after, is.actions)) : none(),
    ),
  };
}

async function* none(): AsyncGenerator<ActionChange, void> {}

/**
 * Both plans have the rows in the same order, followed by users in nearly the same order: an undo has only users. They are read side
 * by side, so that no more lines are remembered than one plan is ahead of the other.
 */
async function* compareLines(
  before: AsyncGenerator<ActionLine, void>,
  after: AsyncGenerator<ActionLine, void>,
): AsyncGenerator<ActionChange, void> {
  const [onlyBefore, onlyAfter] = [new Map<LineKey, ActionLine>(), new Map<LineKey, ActionLine>()];
  try {
    for (;;) {
      const [{ value: old }, { value: line }] = [await before.next(), await after.next()];
      if (!old && !line) break;
      if (old) onlyBefore.set(keyOf(old), old);
      if (line) onlyAfter.set(keyOf(line), line);
      for (const key of [old ? keyOf(old) : undefined, line ? keyOf(line) : undefined]) {
        const [was, is] = [onlyBefore.get(key), onlyAfter.get(key)];
        if (!was || !is) continue;
        onlyBefore.delete(key);
        onlyAfter.delete(key);
        if (wordsOf(was) !== wordsOf(is)) yield changeOf(was, is);
      }
    }
  } finally {
    await before.return();
    await after.return();
  }
  for (const line of onlyBefore.values()) yield changeOf(line, undefined);
  for (const line of onlyAfter.values()) yield changeOf(undefined, line);
}

type LineKey = number | string | undefined;

function keyOf({ row, user_id: id }: ActionLine): LineKey {
  return row ?? id;
}

function changeOf(before: ActionLine | undefined, after: ActionLine | undefined): ActionChange {
  const line = after ?? before;
  return {
    row: line?.row ?? null,
    user_id: line?.user_id ?? '',
    before: before ? wordsOf(before) : '',
    after: after ? wordsOf(after) : '',
  };
}

function wordsOf({ action, reason, fields = [], user_id: id }: ActionLine): string {
  return [action, reason, fields.join(' '), id].filter(Boolean).join(', ');
}
