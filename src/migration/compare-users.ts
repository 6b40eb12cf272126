import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { secondsSince } from '../contract/time.ts';
import { describeOwners, inConflict } from './actions/decide.ts';
import { differencesOf } from './actions/differences.ts';
import { reasons } from './actions/reasons.ts';
import { type ComparisonSummary, verdictNames, verdictOfRow } from './compare/comparison.ts';
import { disabledColumn, readDisabled } from './compare/read-disabled.ts';
import { renderComparison } from './compare/render-comparison.ts';
import { type JobFileName, pathIn } from './directory/job-files.ts';
import { type DirectoryLock, lockDirectory } from './directory/lock-directory.ts';
import { mayReplace, replaceFile } from './directory/replace-file.ts';
import { type ListWriter, openLists } from './directory/write-lists.ts';
import { type InputOptions, openInput } from './input/open-input.ts';
import { type OutcomeReader, readOutcomes } from './journal/reading/open-job.ts';
import { JobDirectoryError } from './model/errors.ts';
import { zeros } from './model/zeros.ts';
import { type DecidedRow, type DecidingOptions, decideRows } from './owners/decide-rows.ts';
import { type ListedOwners, listOwners, type TenantReader } from './owners/list-owners.ts';
import { requireKeyColumn } from './rows/columns.ts';
import { describeIssues } from './rows/issues/issues.ts';
import type { PreparedSource } from './rows/prepared-source.ts';
import { isAboutNobody, type ValidatedRow, validateRows } from './rows/validate-rows.ts';
import { createRunControl } from './send/call-api.ts';

/** Options of a comparison; without `by`, any key identifies a person. */
export interface CompareOptions extends DecidingOptions, Omit<InputOptions, 'signal'> {
  /** Directory of the job that imported the file; its outcomes are listed beside the differences. */
  jobDirectory?: string | undefined;
}

/** What became of a row of which the job has no outcome. */
const pending = { result: 'pending', code: null, user_id: null };

const headers = {
  same: ['row', 'user_id', 'job'],
  differs: ['row', 'line', 'user_id', 'fields', 'reason', 'changed_since', 'job'],
  missing: ['row', 'line', 'user_name', 'external_id', 'job', 'code'],
  extra: ['user_id', 'user_name', 'external_id', 'created_at', 'disabled'],
  ambiguous: ['row', 'line', 'user_name', 'external_id', 'reason', 'owners', 'job'],
  invalid: ['row', 'line', 'user_name', 'external_id', 'code', 'message'],
} as const;

type List = keyof typeof headers;

/**
 * Compares a file with a tenant, field by field, without writing to the tenant. The file goes through the same checks as in an
 * import, and the tenant is listed completely. Writes a list for each verdict, `summary.json` and `report.html`. Rejects with a
 * `SourceError`, a `JobDirectoryError`, or the error of the listing.
 */
export async function compareUsers(
  reader: TenantReader,
  options: CompareOptions,
): Promise<ComparisonSummary> {
  const { file, directory, target, by, jobDirectory, now } = options;
  const started = now();
  refuseRecords(directory);
  const { source: opened, columns } = await openInput(file, options);
  const source = readDisabled(opened, columns);
  let job: OutcomeReader | undefined;
  let owners: ListedOwners | undefined;
  let lock: DirectoryLock | undefined;
  let lists: ListWriter<List> | undefined;
  try {
    requireKeyColumn(file, columns, by);
    options.onSource?.(source, columns);
    if (jobDirectory !== undefined) job = await readOutcomes(jobDirectory, source.digest, target);
    lock = await lockDirectory(directory, now);
    lists = await openLists(directory, headers);
    const control = createRunControl(options);
    owners = await listOwners(reader, control);
    const summary = emptySummary(options, source, owners.users);
    // A row that the recipe leaves out is not compared.
    const wanted = importedRows(validateRows(source, columns), (skipped) => {
      summary.rows -= skipped;
    });
    const decided = decideRows(wanted, owners, {
      by: by ?? 'anyKey',
      update: () => true,
    });
    let done = 0;
    for await (const rows of decided) {
      control.breaker.signal.throwIfAborted();
      for (const one of rows) {
        const outcome = job?.of(one.row.row);
        addRow(summary, lists, withKnownUser(one, outcome?.user_id, owners), job && (outcome ?? pending));
        if (!('action' in one) && !isAboutNobody(one.row) && !owners.recognise(one.row))
          summary.unrecognised += 1;
      }
      await lists.flush();
      done += rows.length;
      options.onStep?.({ what: 'rows compared', done, total: summary.rows });
    }
    for (const users of owners.others(true)) {
      control.breaker.signal.throwIfAborted();
      for (const user of users) {
        const { user_id, user_name, external_id, created_at, disabled } = user;
        lists.add('extra', [user_id, user_name, external_id, created_at, String(disabled)]);
      }
      summary.extra += users.length;
      await lists.flush();
    }
    summary.faults = await faultsOf(owners);
    summary.complete = summary.faults.length === 0;
    summary.seconds = secondsSince(started, now());
    control.breaker.signal.throwIfAborted();
    await lists.end();
    lists.replace();
    const report = renderComparison(summary, {
      version: options.version,
      startedAt: started,
      endedAt: now(),
    });
    await replaceFile(pathIn(directory, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
    await replaceFile(pathIn(directory, 'report.html'), report);
    return summary;
  } finally {
    await lists?.close();
    lock?.release();
    owners?.close();
    job?.close();
    await source.close();
  }
}

function emptySummary(
  { directory, file, target, jobDirectory }: CompareOptions,
  { digest, rows }: PreparedSource,
  users: number,
): ComparisonSummary {
  return {
    directory,
    file: basename(file),
    digest,
    target,
    ...(jobDirectory === undefined ? {} : { job: jobDirectory }),
    rows,
    users,
    ...zeros(verdictNames),
    disabled_unknown: 0,
    unrecognised: 0,
    changed_since: 0,
    fields: {},
    complete: true,
    faults: [],
    seconds: 0,
  };
}

/** Returns why the comparison may be wrong: the listing lacks users, or users were changed while it lasted. */
async function faultsOf(owners: ListedOwners): Promise<string[]> {
  const changed = await owners.countChanged();
  const who = changed === 1 ? '1 user was' : `${changed} users were`;
  return [...owners.faults, ...(changed > 0 ? [`${who} changed or created while the tenant was read`] : [])];
}

/** Throws for files that a comparison would replace and that are of no earlier one: those of a job or a plan, or of somebody else. */
function refuseRecords(directory: string): void {
  const has = (name: JobFileName) => existsSync(pathIn(directory, name));
  const held = has('plan.json') ? 'plan' : has('journal.db') ? 'job' : undefined;
  const list = (Object.keys(headers) as List[]).find(
    (name) => !mayReplace(pathIn(directory, `${name}.csv`), `${headers[name].join(',')}\n`),
  );
  // Every comparison has all lists.
  const page = has('same.csv') ? undefined : (['summary.json', 'report.html'] as const).find(has);
  const foreign = list === undefined ? page : `${list}.csv`;
  if (held === undefined && foreign === undefined) return;
  const fault = held
    ? `it holds a ${held}, and a comparison has files of the same names`
    : `its ${foreign} is not of a comparison`;
  throw new JobDirectoryError(directory, fault, 'Name another directory with --to.');
}

async function* importedRows(lists: AsyncGenerator<ValidatedRow[], void>, onSkipped: (rows: number) => void) {
  for await (const rows of lists) {
    const wanted = rows.filter(({ isSkipped }) => !isSkipped);
    onSkipped(rows.length - wanted.length);
    yield wanted;
  }
}

/** Of a row whose identifiers nobody has: the user whom the job knows for it, who has other ones now. */
function withKnownUser(
  decided: DecidedRow,
  userId: string | null | undefined,
  owners: ListedOwners,
): DecidedRow {
  if (!userId || !('action' in decided) || verdictOfRow(decided) !== 'missing') return decided;
  const person = owners.findById(userId);
  if (!person) return decided;
  const { row } = decided;
  const fields = differencesOf(row.user, person, false);
  const action = { ...inConflict('OTHER_NAMES', { ...decided.action, fields }), userId };
  return owners.claim(person) ? { row, action, person } : { row, action: inConflict('SEVERAL_ROWS', action) };
}

function addRow(
  summary: ComparisonSummary,
  lists: ListWriter<List>,
  decided: DecidedRow,
  outcome: { result: string; code: string | null } | undefined,
): void {
  const verdict = verdictOfRow(decided);
  const { row, line } = decided.row;
  summary[verdict] += 1;
  if (!('action' in decided)) {
    const { userName, externalId, issues } = decided.row;
    lists.add('invalid', [row, line, userName, externalId, issues[0]?.code, describeIssues(issues).message]);
    if (issues.every(({ column }) => column === disabledColumn)) summary.disabled_unknown += 1;
    return;
  }
  const { action, person } = decided;
  const result = outcome?.result ?? '';
  const { user_name: userName, external_id: externalId } = decided.row.user;
  const why = reasons[action.reason].text;
  if (verdict === 'same') lists.add('same', [row, action.userId, result]);
  else if (verdict === 'missing') {
    lists.add('missing', [row, line, userName, externalId, result, outcome?.code ?? '']);
  } else if (verdict === 'ambiguous') {
    const owned = action.owners.length > 0 ? describeOwners(action) : '';
    lists.add('ambiguous', [row, line, userName, externalId, why, owned, result]);
  } else {
    const others = action.unchangeable.filter((field) => !action.fields.some((one) => one === field));
    const fields: string[] = [...action.fields, ...others];
    if (person && person.disabled !== (decided.row.isDisabled === true)) fields.push('disabled');
    for (const field of fields) summary.fields[field] = (summary.fields[field] ?? 0) + 1;
    // Of others, such as those whom the job itself updated or disabled, it is not known whether anybody else changed them.
    const isCreated = outcome?.result === 'created' && !decided.row.isDisabled;
    const isChanged = isCreated && person?.updated_at !== person?.created_at;
    if (isChanged) summary.changed_since += 1;
    const since = isCreated ? (isChanged ? 'yes' : 'no') : '';
    lists.add('differs', [row, line, action.userId, fields.join(' '), why, since, result]);
  }
}
