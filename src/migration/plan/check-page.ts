import { existsSync, readFileSync } from 'node:fs';
import { quotePath } from '../../text/shell-quote.ts';
import { pathIn } from '../directory/job-files.ts';
import { PlanError } from '../model/errors.ts';
import type { Plan } from './plan-schemas.ts';
import { renderPlan } from './render-plan.ts';

/**
 * Throws a `PlanError` if `plan.html` is not the page of the plan: whoever approves a plan may have read only that. No page at all
 * misleads nobody.
 */
export function checkPage(directory: string, plan: Plan): void {
  const path = pathIn(directory, 'plan.html');
  if (!existsSync(path) || readFileSync(path, 'utf8') === renderPlan(plan)) return;
  throw new PlanError(
    'PLAN_CHANGED',
    `${path}: this is not the page of the plan: it was changed, or another version of this program made it`,
    `Delete the page, and read the plan with: tenant-users plan show ${quotePath(directory)}`,
  );
}
