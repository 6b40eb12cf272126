import type { PlannedKind } from '../actions/reasons.ts';
import { checkActions, inPages, readActions } from './action-lines.ts';
import { readPlan } from './plan-document.ts';
import type { ActionChange, ActionLine, Plan } from './plan-schemas.ts';

/** What changed between two plans. */
export interface PlanComparison {
  /** True if both plans are of the same file and mapping; only then are rows compared. */
  isSameFile: boolean;
  totals: Record<PlannedKind, { before: number; after: number }>;
  changes: AsyncGenerator<ActionChange[], void>;
}

/** Compares two plan directories. Throws a `PlanError` if one of the plans was changed after it was made. */
export async function comparePlans(before: string, after: string): Promise<PlanComparison> {
  const plans = [before, after].map((directory): [string, Plan] => [directory, readPlan(directory)]);
  for (const [directory, plan] of plans) await checkActions(directory, plan.actions);
  const [was, is] = plans.map(([, plan]) => plan);
  const kinds = Object.keys(was?.totals ?? {}) as PlannedKind[];
  const isSameFile = was?.file.digest === is?.file.digest && was?.mapping === is?.mapping;
  return {
    isSameFile,
    totals: Object.fromEntries(
      kinds.map((kind) => [kind, { before: was?.totals[kind] ?? 0, after: is?.totals[kind] ?? 0 }]),
    ) as PlanComparison['totals'],
    changes: inPages(isSameFile ? changesOf(readActions(before), readActions(after)) : none()),
  };
}

async function* none(): AsyncGenerator<ActionChange, void> {}

/** Both plans have the rows in the same order, followed by the users who are in no row. */
async function* changesOf(
  before: AsyncGenerator<ActionLine, void>,
  after: AsyncGenerator<ActionLine, void>,
): AsyncGenerator<ActionChange, void> {
  let absent: Map<string | undefined, ActionLine> | undefined;
  for await (const line of after) {
    if (line.row === null) {
      absent ??= await restOf(before);
      if (!absent.delete(line.user_id)) yield changeOf(undefined, line);
    } else {
      const { value: old } = await before.next();
      if (old && wordsOf(old) !== wordsOf(line)) yield changeOf(old, line);
    }
  }
  absent ??= await restOf(before);
  for (const line of absent.values()) yield changeOf(line, undefined);
}

async function restOf(lines: AsyncGenerator<ActionLine, void>) {
  const rest = new Map<string | undefined, ActionLine>();
  for await (const line of lines) rest.set(line.user_id, line);
  return rest;
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
