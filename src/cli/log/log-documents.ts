import * as v from 'valibot';
import { count, described, moment, text, textOrNull } from '../../contract/value-schemas.ts';
import { jobStates, jobStatus, jobTarget } from '../../migration/model/job-status.ts';
import { rowResults } from '../../migration/model/outcome.ts';
import { logOutcomes, runKinds } from './read-log.ts';

/** A job, plan or comparison as `runs` lists it. */
export const listedJob = v.strictObject({
  time: described(text, 'when its last run began'),
  command: text,
  kind: v.picklist(runKinds),
  state: described(
    v.picklist([...jobStates, 'planned', 'gone', 'unreadable']),
    'planned: the plan was not applied; gone: the directory is not there',
  ),
  runs: described(count, 'runs in this directory'),
  rows: count,
  in_no_row: jobStatus.entries.in_no_row,
  done: described(v.nullable(count), 'rows that are users as the job wants them; null: not known'),
  target: jobTarget,
  directory: text,
});

export type ListedJob = v.InferOutput<typeof listedJob>;

/** A logged change: either of one user, or by a run, whose directory lists the users. */
export const loggedChange = v.strictObject({
  time: described(moment, 'when it began'),
  command: text,
  outcome: described(
    v.picklist(logOutcomes),
    'begun: no end was written; unknown: no answer came; finished, stopped: of a run; sent: by api',
  ),
  user_id: described(textOrNull, 'null: of a run, or not known'),
  code: described(textOrNull, 'of the error'),
  changed: described(
    v.nullable(count),
    'users who were changed; of a run that an older version logged, by its whole job; null: not known',
  ),
  rows: described(
    v.nullable(v.record(v.picklist(rowResults), count)),
    'of a run: rows of its job by outcome; null: of one user, or not known',
  ),
  directory: described(textOrNull, 'of a run; it knows the users'),
  profile: described(textOrNull, 'null: no profile was used'),
  target: jobTarget,
});

export type LoggedChange = v.InferOutput<typeof loggedChange>;
