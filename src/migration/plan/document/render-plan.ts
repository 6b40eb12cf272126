import { win32 } from 'node:path';
import { formatCount } from '../../../text/format-count.ts';
import { quoteForPosix } from '../../../text/shell-quote.ts';
import { type PlannedKind, plannedKinds, type ReasonCode, reasons } from '../../actions/reasons.ts';
import { fieldsSection, type Html, html, section, table } from '../../report/html.ts';
import {
  type FooterFact,
  footerOf,
  renderPage,
  targetFacts,
  verdictSection,
} from '../../report/render-page.ts';
import { shortened, shownDuration, shownShare } from '../../report/texts/format.ts';
import { isDecided, noticesOfPlan } from './notices.ts';
import { countActions } from './plan-document.ts';
import type { Plan } from './plan-schemas.ts';

const actionMeanings: Record<PlannedKind, string> = {
  create: 'A user is created, with the password hash of the row',
  same: 'Nothing: the user is there',
  update: 'The fields that differ are changed; nobody gets a message',
  disable: 'The user can no longer log in, and the API cannot enable them again',
  conflict:
    'Nothing: a key of the row belongs to somebody else or to several users, or an undo would hit a user who is active',
  cannot: 'Nothing: the API has no way to do what the row asks for',
  invalid: 'Nothing: the row fails the checks',
  skipped: 'Nothing: the recipe leaves the row out',
};

/**
 * Renders the page of a plan for the person who approves it. It names no user. It depends on nothing but `plan`, because `checkPage`
 * may compare it on another machine: commands are quoted for POSIX shells, and paths can be those of Windows.
 */
export function renderPlan(plan: Plan): string {
  const { totals, file, users, digest, asked, undoes } = plan;
  const name = shortened(win32.basename(undoes?.job ?? file.path), 80);
  const what = undoes ? 'Undo of' : 'Plan for';
  const changes = totals.create + totals.update + totals.disable;
  const headline =
    changes === 0
      ? 'The plan changes nothing.'
      : `The plan creates ${formatCount(totals.create)}, updates ${formatCount(totals.update)} and disables ${formatCount(totals.disable)} users.`;
  const { requests, seconds } = plan.forecast;
  const pace =
    seconds >= 10 ? `, about ${shownDuration(seconds)} at the pace of the last run into the tenant` : '';
  const facts: FooterFact[] = [
    undoes && ['Job', html`<bdi>${undoes.job}</bdi>`],
    ['File', html`<bdi>${win32.basename(file.path)}</bdi>`],
    ['SHA-256 of the file', html`<code>${file.digest}</code>`],
    ['SHA-256 of the plan', html`<code>${digest}</code>`],
    ...targetFacts(plan.target),
    ['Made', html`${plan.made_at} by tenant-users ${plan.program}`],
    ['Options', html`${optionsOf(plan)}`],
    ['The tenant was asked by', html`${asked}`],
    plan.since && sinceFact(plan.since),
  ];
  return renderPage({
    title: `${what} ${name}: ${headline}`,
    heading: html`${what} <bdi>${name}</bdi>`,
    note: 'Nothing was written to the tenant.',
    body: html`<main>
${verdictSection({
  tone: isDecided(plan) ? 'good' : 'partly',
  headline,
  meaning: `${undoes ? `The job created ${formatCount(countActions(plan), 'user')}` : `The file has ${formatCount(file.rows, 'row')}`}${users === null ? '' : `, the tenant ${formatCount(users, 'user')}`}. Applying the plan takes ${formatCount(requests, 'request')} or more${pace}.`,
  caveats: noticesOfPlan(plan, { quote: quoteForPosix }).map(({ text }) => text),
})}${totalsOf(plan)}${fieldsSection(plan.fields ?? {}, 'Fields that change', `Of ${formatCount(totals.update, 'user')} to update`)}${reasonsOf(plan)}</main>
${footerOf('About this plan', facts, 'This page holds no password, hash or key, and names no user. The plan is applied exactly as it is, once: a user who is not as the plan saw them is not touched.')}`,
  });
}

/** The options that decide what is done, as on the command line. */
function optionsOf({ options, undoes }: Plan): string {
  const { key, update, disable_missing: disablesMissing, disable_all: disablesAll, only } = options;
  const given = [
    key !== null && `--key ${key}`,
    update !== null && (update === 'all' ? '--update' : `--update ${update.join(',')}`),
    disablesMissing && '--disable-missing',
    disablesAll ? '--disable-all' : only !== null && `--only ${only}`,
    undoes?.with_active && '--with-active',
  ];
  return given.filter(Boolean).join(' ') || 'none';
}

function sinceFact({ job, unchanged, vanished, nameless }: NonNullable<Plan['since']>): [string, Html] {
  const atMost = nameless === undefined ? '' : 'at most ';
  const left = `${formatCount(unchanged, 'row')} unchanged, ${atMost}${formatCount(vanished, 'user')} no longer in the file`;
  return ['Only what changed since the job', html`<bdi>${job}</bdi>: ${left}`];
}

function totalsOf({ totals }: Plan): Html {
  const whole = countActions({ totals });
  const byKind = table({
    caption: 'Actions by kind',
    rows: plannedKinds,
    isNone: (kind) => totals[kind] === 0,
    columns: [
      { title: 'Action', holds: 'name', cell: (kind) => kind },
      { title: 'Number', holds: 'number', cell: (kind) => formatCount(totals[kind]) },
      { title: 'Part', holds: 'number', cell: (kind) => shownShare(totals[kind], whole) },
      { title: 'What happens to people', holds: 'text', cell: (kind) => actionMeanings[kind] },
    ],
  });
  return section('actions', 'What will be done', byKind);
}

function reasonsOf({ reasons: found }: Plan): Html | undefined {
  const rows = Object.entries(found) as [ReasonCode, number][];
  if (rows.length === 0) return undefined;
  const byReason = table({
    caption: 'Actions by reason',
    rows,
    columns: [
      { title: 'Reason', cell: ([reason]) => html`<code>${reason}</code>` },
      { title: 'Number', holds: 'number', cell: ([, count]) => formatCount(count) },
      { title: 'Action', cell: ([reason]) => reasons[reason].kind },
      { title: 'Meaning', holds: 'text', cell: ([reason]) => reasons[reason].text },
    ],
  });
  return section('reasons', 'Why', byReason);
}
