import { join } from 'node:path';
import type { Summary } from '../model/summary.ts';
import { counted } from './format.ts';

/** Something to do after a run of an import, for the report as for the terminal. */
export interface Advice {
  text: string;
  /** The same import again, with these options in the place of `--dry-run`, `--rehearse` and `--only`. */
  rerun?: readonly string[];
  /** Other commands that do it. */
  commands?: readonly string[];
}

/** What to do next, the most urgent first; empty where all rows are users. */
export function adviseNext(summary: Summary): Advice[] {
  return summary.dry_run || summary.rehearsal ? trialAdvice(summary) : importAdvice(summary);
}

function importAdvice({ pending, unknown, conflict, failed, invalid, job }: Summary): Advice[] {
  const rejected = conflict + failed + invalid;
  const advice: Advice[] = [];
  if (unknown > 0) {
    advice.push({
      text: `Look up the ${counted(unknown, 'row')} without an answer (NO_ANSWER or UNEXPECTED in failures.csv) before you do anything else with them: each may be a user already. Rerun the same command to look up those with an identifier; look up the others by hand.`,
      rerun: [],
      commands: ['tenant-users get --by-external-id ID', 'tenant-users get --by-user-name NAME'],
    });
  }
  if (pending > 0) {
    advice.push({
      text: `Resume with the ${counted(pending, 'row')} not sent yet: rerun the same command. No row is imported twice.`,
      rerun: [],
    });
  }
  if (rejected > 0) {
    advice.push({
      text: `Fix the ${counted(rejected, 'row')} listed in ${join(job, 'failures.csv')} (or relax the tenant's rules), then rerun with --only failed.`,
      rerun: ['--only', 'failed'],
    });
  }
  return advice;
}

function trialAdvice({ conflict, failed, invalid, unknown, job, dry_run: isDry }: Summary): Advice[] {
  const rejected = conflict + failed + invalid + unknown;
  const advice: Advice[] = [];
  if (rejected > 0) {
    advice.push({
      text: `Fix the ${counted(rejected, 'row')} listed in ${join(job, 'failures.csv')}, then ${isDry ? 'check' : 'rehearse'} again; an import skips them.`,
      rerun: [isDry ? '--dry-run' : '--rehearse'],
    });
  }
  const rehearse = isDry
    ? 'Try it on a temporary tenant (--rehearse instead of --dry-run), or import'
    : 'Import';
  advice.push({
    text: `${rehearse} for real. The API cannot delete users: what is written stays.`,
    rerun: [],
  });
  return advice;
}
