import { formatCount } from '../../text/format-count.ts';
import { type CanaryLogins, differingUsers, type Summary, unsentRows } from '../model/summary.ts';
import type { ReportData } from './report-data.ts';
import { listed } from './texts/format.ts';
import { type Notice, noticesOf, unverifiedNotices } from './texts/notices.ts';

/** The result of an import, in words. */
export interface Verdict {
  tone: 'good' | 'partly' | 'bad' | 'rehearsed';
  /** Only for a run that wrote to no tenant; shown above everything else. */
  label?: string;
  headline: string;
  meaning: string;
  /** Further things that a reader must know. */
  caveats: string[];
}

export function verdictOf(data: ReportData): Verdict {
  const { summary } = data;
  const words = summary.dry_run ? dryRun(data) : summary.plan ? applied(data) : imported(data);
  return { ...words, caveats: caveatsOf(data) };
}

function dryRun({ summary, isStopped }: ReportData): Omit<Verdict, 'caveats'> {
  const { pending, existing, asked } = summary;
  const rows = summary.rows - summary.skipped;
  const found = rows - pending - existing;
  const label = 'Dry run: nothing was sent';
  const rest =
    asked === undefined
      ? 'No user was created, and the tenant was not asked: it may still reject rows that pass, for example because a user name is taken.'
      : `No user was created. The tenant was asked by ${asked}. It may still reject rows by rules of its own, such as forbidden names.`;
  if (isStopped) {
    return {
      tone: 'partly',
      label,
      headline: `The check was stopped; ${formatCount(found, 'row')} had issues by then.`,
      meaning: `Of the other ${formatCount(pending, 'row')} some passed and some were never read. ${rest}`,
    };
  }
  if (asked !== undefined) {
    const rejected = found > 0 ? `, ${formatCount(found)} would be rejected` : '';
    const headline = `Of ${formatCount(rows, 'row')} ${formatCount(pending)} would be created, ${formatCount(existing)} ${existing === 1 ? 'is' : 'are'} already there${rejected}.`;
    return { tone: found === 0 ? 'rehearsed' : 'partly', label, headline, meaning: rest };
  }
  return {
    tone: found === 0 ? 'rehearsed' : 'partly',
    label,
    headline:
      found === 0
        ? `${rows === 1 ? 'The one row' : `All ${formatCount(rows, 'row')}`} passed the checks.`
        : `${formatCount(pending)} of ${formatCount(rows, 'row')} passed the checks; ${formatCount(found)} would be rejected.`,
    meaning: rest,
  };
}

function imported(data: ReportData): Omit<Verdict, 'caveats'> {
  const { created, existing, conflict, failed, invalid, skipped, unknown, pending, unanswered, rehearsal } =
    data.summary;
  const rows = data.summary.rows - skipped;
  const users = created + existing;
  const rejected = conflict + failed + invalid;
  const were = (count: number) => (count === 1 ? 'was' : 'were');
  const pendingAs =
    unanswered === undefined
      ? 'not sent yet'
      : `without an outcome yet, of which at most ${formatCount(unanswered)} may have been sent`;
  const others = [
    ...(rejected > 0 ? [`${formatCount(rejected)} rejected`] : []),
    ...(unknown > 0 ? [`${formatCount(unknown)} unknown`] : []),
    ...(pending > 0 ? [`${formatCount(pending)} ${pendingAs}`] : []),
  ];
  const all = rows === 1 ? 'The one user' : `All ${formatCount(rows, 'user')}`;
  const who = users === rows ? all : `${formatCount(users)} of ${formatCount(rows, 'user')}`;
  const first = `${who} ${were(users)} imported${existing > 0 ? ' or already there' : ''}`;
  const headline = rows === 0 ? 'The file has no data rows.' : `${[first, ...others].join('; ')}.`;
  const was = [
    ...(created > 0
      ? [`${formatCount(created, 'user')} ${were(created)} created${foundOf(data.summary)}`]
      : []),
    ...(existing > 0 ? [`${formatCount(existing, 'user')} ${were(existing)} already in the tenant`] : []),
  ];
  const meaning = [
    was.length > 0 ? `${listed(was)}.` : 'No user was created.',
    pending > 0 ? 'The import is not complete; what was done stays, and it can be resumed.' : '',
    rejected > 0 ? 'Rejected rows were skipped entirely; there are no partial users.' : '',
    unknown > 0 ? 'Rows without an answer must be looked up before anything else is done with them.' : '',
  ].filter(Boolean);
  const isWhole = users === rows && differingUsers(data.summary) === 0;
  const tone = isWhole ? 'good' : users === 0 || unknown > 0 ? 'bad' : 'partly';
  if (!rehearsal) return { tone, headline, meaning: meaning.join(' ') };
  return {
    tone: tone === 'good' ? 'rehearsed' : tone,
    label: 'Rehearsal: no tenant was written to',
    headline:
      rows === 0
        ? headline
        : `In the rehearsal, ${headline.replace(/^The|^All/, (word) => word.toLowerCase())}`,
    meaning: `The rehearsal ran on a temporary service on this machine, which is gone; nothing changed in the tenant. ${meaning.join(' ')}`,
  };
}

function applied({ summary }: ReportData): Omit<Verdict, 'caveats'> {
  const { rows, created, updated = 0, disabled = 0, pending, unknown, conflict, failed, invalid } = summary;
  const changed = `${formatCount(created)} created, ${formatCount(updated)} updated, ${formatCount(disabled)} disabled`;
  const unsent = unsentRows(summary);
  const left = conflict + failed + invalid - (unsent - pending);
  if (unsent + unknown > 0) {
    const headline = `The plan was applied in part: ${changed}; ${formatCount(unsent + unknown)} of ${formatCount(rows, 'action')} are left.`;
    const meaning = 'What was done stays, and is not done twice: see below how to go on.';
    return { tone: 'partly', headline, meaning };
  }
  const meaning =
    left > 0
      ? `${formatCount(left, 'row')} had no action, failed, or had drifted: failures.csv names each and why.`
      : 'Every action of the plan was carried out.';
  const { updates_in_part: inPart = 0, unresolved = 0 } = summary;
  return {
    tone: left + inPart + unresolved > 0 ? 'partly' : 'good',
    headline: `The plan was applied: ${changed}.`,
    meaning,
  };
}

function foundOf({ created, found_by_look_up: found }: Summary): string {
  if (found === 0) return '';
  const who = found === created ? '' : `${formatCount(found)} of them `;
  return ` (${who}found by look-up, since the answers were lost)`;
}

function caveatsOf({ summary, shards }: ReportData): string[] {
  return [
    ...unverifiedNotices(summary).map(({ text }) => text),
    // What was verified is in the lines above and in the section on algorithms.
    ...noticesOf({ ...summary, by_algorithm: {}, not_verified: [] }).map(({ text }) => text),
    ...(summary.ramp ? [rampNotice(summary.ramp).text] : []),
    ...(summary.shard ? [`This is only shard ${summary.shard} of the file.`] : []),
    ...(shards ? [`These records were merged from ${formatCount(shards, 'shard')} of the file.`] : []),
  ];
}

/** Says what the canaries of a ramp have shown on the tenant. */
export function rampNotice({ canaries, logins, not_tried: lines = [] }: CanaryLogins): Notice {
  const [who, were] = canaries === 1 ? ['1 canary', 'was'] : [`${formatCount(canaries)} canaries`, 'were'];
  const isProven = canaries > 0 && logins === 'accepted';
  const text = isProven
    ? `Proven on the tenant: ${who} logged in there before any other row of their run was sent.`
    : canaries > 0
      ? `Unproven on the tenant: it has no login, so ${who} ${were} only read back.`
      : lines.length > 0
        ? 'Unproven on the tenant: no canary was tried.'
        : 'Unproven on the tenant: the canaries were there before this import, so none of them was tried.';
  if (lines.length === 0) return { text, isWarning: !isProven };
  const [which, whose] =
    lines.length === 1 ? ['The canary of line', 'the user'] : ['The canaries of lines', 'their users'];
  const why = `${which} ${listed(lines.map(String))} could not be tried: ${whose} ${lines.length === 1 ? 'is' : 'are'} not as the corrected file says (failures.csv).`;
  return { text: `${text} ${why}`, isWarning: true };
}
