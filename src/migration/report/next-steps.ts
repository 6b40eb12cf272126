import { join } from 'node:path';
import { quotePath } from '../../text/shell-quote.ts';
import { counted } from './format.ts';
import { type Html, html } from './html.ts';
import type { ReportData } from './report-data.ts';
import { unprovenOf } from './verdict.ts';

/** Something to do, with the command that does it. */
interface Step {
  text: string;
  commands?: string[];
}

/** What to do next. */
export function nextStepsSection(data: ReportData): Html {
  const steps = stepsOf(data);
  const { job } = data.summary;
  return html`<section aria-labelledby="next">
<h2 id="next">What to do next</h2>
<ol>
${steps.map(
  ({ text, commands = [] }) =>
    html`<li><p>${text}</p>${commands.map((command) => html`<pre tabindex="0"><code>${command}</code></pre>`)}</li>\n`,
)}</ol>
<p class="note">Add the options that were given before, such as profile and mapping. Paths are quoted for a POSIX shell, and relative ones start where this import was started. The books lie in <code><bdi>${job}</bdi></code>: users.csv (rows that are users, with their user ids), failures.csv (rows that are not, with the reason), summary.json. They name people: keep them as safe as the file itself.</p>
</section>
`;
}

function stepsOf(data: ReportData): Step[] {
  const { summary, shares } = data;
  const steps = shares
    ? mergedSteps(data)
    : summary.dry_run || summary.rehearsal
      ? trialSteps(data)
      : importSteps(data);
  return [...steps, ...proofSteps(data), ...endOf(data, steps)];
}

/** The same import again, as far as it is known here. */
function importAgain({ file, summary: { job, shard } }: ReportData, ...more: string[]): string {
  const share = shard ? ['--shard', shard] : [];
  return ['tenant-users import-hashes', quotePath(file), '--job', quotePath(job), ...share, ...more].join(
    ' ',
  );
}

function importSteps(data: ReportData): Step[] {
  const { pending, unknown, conflict, failed, invalid, job } = data.summary;
  const refused = conflict + failed + invalid;
  const steps: Step[] = [];
  if (unknown > 0) {
    steps.push({
      text: `Look up the ${counted(unknown, 'row')} without an answer (NO_ANSWER or UNEXPECTED in failures.csv) before anything else is done with them: each may be a user already. Run the same command again to have all looked up that have a key; look the others up by hand.`,
      commands: [
        importAgain(data),
        'tenant-users get --by-external-id ID',
        'tenant-users get --by-user-name NAME',
      ],
    });
  }
  if (pending > 0) {
    steps.push({
      text: `Go on with the ${counted(pending, 'row')} not sent: run the same command again. What is done is not done twice.`,
      commands: [importAgain(data)],
    });
  }
  if (refused > 0) {
    steps.push({
      text: `Mend the ${counted(refused, 'row')} listed in ${join(job, 'failures.csv')}, in the source file; then take up only those again.`,
      commands: [importAgain(data, '--only', 'failed')],
    });
  }
  return steps;
}

function trialSteps(data: ReportData): Step[] {
  const { conflict, failed, invalid, unknown, job, dry_run: isDry } = data.summary;
  const bad = conflict + failed + invalid + unknown;
  const steps: Step[] = [];
  if (bad > 0) {
    steps.push({
      text: `Mend the ${counted(bad, 'row')} listed in ${join(job, 'failures.csv')}, in the source file, then try again.`,
      commands: [importAgain(data, isDry ? '--dry-run' : '--rehearse')],
    });
  }
  steps.push({
    text: 'Import for real. The API cannot delete users: what is written stays.',
    commands: [importAgain(data)],
  });
  return steps;
}

/** Only a share's own journal knows which of its rows may have been sent. */
function mergedSteps({ summary }: ReportData): Step[] {
  const open = summary.rows - summary.created - summary.existing;
  if (open === 0) return [];
  return [
    {
      text: `Take up the ${counted(open, 'row')} that ${open === 1 ? 'is no user' : 'are no users'} in the directory of the share that has them, as its own report says; then join all shares again, into a new directory.`,
    },
  ];
}

function proofSteps({ file, summary, canaries = [] }: ReportData): Step[] {
  const unproven = unprovenOf(summary, canaries);
  if (unproven.length === 0) return [];
  const isTrial = summary.dry_run || summary.rehearsal;
  return [
    {
      text: `Prove ${unproven.join(', ')}: hold a password that you know against the hash of its row. It is asked for, and nothing is sent.${isTrial ? ' Or give known passwords to the import by --canary FILE: they are tried before anything is sent.' : ''}`,
      commands: [`tenant-users hash verify --csv ${quotePath(file)} --by-user-name NAME`],
    },
  ];
}

function endOf({ summary, canaries = [] }: ReportData, steps: readonly Step[]): Step[] {
  const codes = Object.keys(summary.codes);
  const known =
    codes.length > 0 ? [{ text: 'Read more about a code.', commands: ['tenant-users explain CODE'] }] : [];
  if (steps.length > 0 || unprovenOf(summary, canaries).length > 0) return known;
  return [
    {
      text: 'Nothing is left to do with this file. Keep this page and users.csv with the records of the move.',
    },
  ];
}
