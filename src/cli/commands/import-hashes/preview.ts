import type { EarlierConsent, ImportOptions } from '../../../migration/import-users.ts';
import type { Forecast } from '../../../migration/model/forecast.ts';
import type { Preview } from '../../../migration/model/preview.ts';
import { formatCount } from '../../../text/format-count.ts';
import { needsConsent, noMessages, requireConsent } from '../../connection/consent.ts';
import { commandAgain } from '../../context/command-line.ts';
import type { CommandContext } from '../../context/context.ts';
import { UsageError } from '../../errors/errors.ts';
import { confirm } from '../../input/prompts.ts';
import { describeForecast } from '../../output/forecast.ts';
import type { ProgressDisplay } from '../../output/progress.ts';
import { requestsLeft } from '../prepare/import-forecast.ts';

/**
 * Creates the function that an import calls after its file has been counted. It says what will happen, and asks for
 * consent if there is none yet. `forecastOf`: how long it takes; `undefined` if rows are only looked up.
 */
export function createPreview(
  context: CommandContext,
  progress: Pick<ProgressDisplay, 'say' | 'paused'>,
  forecastOf: ((requests: number) => Forecast) | undefined,
): NonNullable<ImportOptions['onPreview']> {
  return async (
    { whole, sent, ...differences },
    verified,
    { isConsented, drift, unsent, unanswered, done, archived },
  ) => {
    const { factsOf, noticesOf } = await import('../../../migration/report/texts/notices.ts');
    const preview = sent ?? { ...whole, ready: Math.max(whole.ready - done, 0) };
    const facts = factsOf(sent ?? whole, verified, whole);
    // A job goes on only with the options that it had, and with --yes the rows follow at once.
    const isOpen = done === 0 && needsConsent(context);
    const notices = noticesOf({ ...facts, ...differences }, isOpen ? undefined : null);
    const lines = notices.map(({ text, isWarning }) => (isWarning ? `Warning: ${text}` : text));
    const requests = sent ? requestsLeft(sent, 0) : requestsLeft(whole, done);
    const forecast = forecastOf && requests > 0 ? describeForecast(forecastOf(requests)) : undefined;
    if (drift.length > 0) lines.push(describeDrift(drift, unsent, unanswered));
    if (archived && archived.created > 0) lines.push(describeArchived(archived));
    if (forecast !== undefined) lines.unshift(forecast);
    if (!isConsented) lines.unshift(describePreview(preview, sent ? whole.ready - sent.ready : done));
    for (const line of lines) progress.say(line);
    if (isConsented) return;
    await progress.paused(() => requireImportConsent(context, preview, lines));
  };
}

/** Says how many rows will be imported or rejected, and that this is final. `done`: rows of the file that earlier runs have imported. */
function describePreview({ ready, rejected }: Preview, done: number): string {
  const before = done === 0 ? '' : `, ${formatCount(done)} ${done === 1 ? 'was' : 'were'} imported before`;
  const others = rejected === 0 ? '' : `; ${formatCount(rejected, 'row')} will be rejected`;
  return `${formatCount(ready, 'row')} will be imported${before}${others}. The API cannot delete a user, enable one again or change a hash: this cannot be undone. ${noMessages}`;
}

/**
 * Says that other rows are sent, or in another way, than was agreed to. Of `unsent` rows, at most `unanswered` were sent before a kill:
 * only a look-up can tell.
 */
function describeDrift(drift: readonly string[], unsent: number, unanswered: number): string {
  if (unsent === 0) return `Warning: this is not what was agreed to: ${drift.join('; ')}.`;
  const [are, follow] = unsent === 1 ? ['was', 'follows'] : ['were', 'follow'];
  const lost = unanswered === 0 ? '' : ', or got no answer,';
  const rows = `${formatCount(unsent, 'row')} that ${are} never sent${lost} ${follow}`;
  const look =
    unanswered === 0
      ? ''
      : ` At most ${formatCount(unanswered)} may have been sent: whoever was created for one keeps the hash that was sent. --only unanswered with the file and the options as they were looks them up first.`;
  return `Warning: --only failed also resumes the job: ${rows}, and ${drift.join('; ')}.${look}`;
}

/** Says which users no later command will know as those of the job, and how many of them the import can create again. */
function describeArchived({
  created,
  nameless,
  journal,
  undone,
  undone_shards: shards = [],
}: NonNullable<EarlierConsent['archived']>): string {
  const who = `${formatCount(created, 'user')} whom the job created so far`;
  const [have, are] = nameless === 1 ? ['has', 'is'] : ['have', 'are'];
  const again =
    nameless === 0
      ? ''
      : ` ${formatCount(nameless)} of them ${have} no user name, e-mail address or mobile number, and ${are} created a second time if the file still has the row.`;
  if (undone !== undefined && shards.length === 0)
    return `Warning: --restart archives its journal as ${journal}. An undo has disabled users of the job: they keep their user names, e-mail addresses and mobile numbers, and each row that still has one of these becomes a conflict. The users whom it left enabled are no longer known to undo, cutover and compare.${again}`;
  return `Warning: --restart archives its journal as ${journal}, so undo, cutover and compare no longer know the ${who}. To undo the import of these, do it before.${again}`;
}

/** Asks for consent to import. First asks whether the API's default about changing passwords is intended. */
function requireImportConsent(
  context: CommandContext,
  { ready, must_change_by_default: byDefault }: Preview,
  lines: readonly string[],
): Promise<void> {
  const refused = 'nothing was sent';
  return requireConsent(context, {
    users: ready,
    what: `import ${formatCount(ready, 'user')}`,
    refused,
    preview: lines,
    async askFirst() {
      if (byDefault === 0) return;
      const whose =
        byDefault === 1 ? 'the password of 1 user' : `the passwords of ${formatCount(byDefault)} users`;
      if (await confirm(context, `Continue although ${whose} must be changed at the first login?`)) return;
      throw new UsageError(
        refused,
        `To let them keep it, run:\n  ${commandAgain(context, '--set', 'pwd_must_modify=false')}`,
      );
    },
  });
}
