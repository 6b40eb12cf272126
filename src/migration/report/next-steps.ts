import { quotePath } from '../../text/shell-quote.ts';
import { ofNextRun, rerunCommand } from '../model/job.ts';
import { type Html, html, section } from './html.ts';
import type { ReportData } from './report-data.ts';
import { adviseNext, type NextStep } from './texts/advice.ts';

export function nextStepsSection(data: ReportData): Html {
  const steps = stepsOf(data);
  const { job } = data.summary;
  const list = steps.map(
    ({ text, commands }) =>
      html`<li><p>${text}</p>${commands.map((command) => html`<pre tabindex="0"><code>${command}</code></pre>`)}</li>\n`,
  );
  return section(
    'next',
    'What to do next',
    html`<ol>
${list}</ol>
<p class="note">Paths are quoted for a POSIX shell; relative ones start where this import was started. The files of the job are in <code><bdi>${job}</bdi></code>: users.csv (imported rows with their user ids), failures.csv (the other rows and why, but for those that the recipe leaves out), summary.json. They name people: keep them as safe as the source file.</p>
`,
  );
}

function stepsOf(data: ReportData): NextStep[] {
  const steps = [...adviseNext(data.summary, data.command), ...verificationSteps(data)];
  return [...steps, ...endOf(data, steps)];
}

/** Options that change how the file is read. */
const readingOption =
  /^--(?:map|set|algorithm|recipe|from|header|delimiter|encoding|key-file|key-stdin|ignore-unknown)/;

function verificationSteps({ file, summary, command }: ReportData): NextStep[] {
  const { not_verified: unverified } = summary;
  if (unverified.length === 0) return [];
  // The command of a plan does not say how the file is read.
  if (summary.plan !== undefined) {
    return [
      {
        text: `Verify ${unverified.join(', ')}: rehearse the import of the file with users whose passwords you know (user_name,password), and the options for the file with which the plan was made. Nothing is sent to the tenant.`,
        commands: [`tenant-users import-hashes ${quotePath(file)} --rehearse --canary known.csv`],
      },
    ];
  }
  const isTrial = summary.dry_run || summary.rehearsal;
  // `hash verify` as suggested below reads the file without options, by the names of the columns that the API uses.
  if (command?.words.some((word) => readingOption.test(word))) {
    const trial = summary.dry_run ? ['--dry-run'] : summary.rehearsal ? ['--rehearse'] : [];
    const list = command.words.some((word) => word.startsWith('--canary')) ? [] : ['--canary', 'known.csv'];
    return [
      {
        text: ofNextRun(
          `Verify ${unverified.join(', ')}: list users whose passwords you know as user_name,password, and run the same command with this list. No user is created twice.`,
          command,
        ),
        commands: [rerunCommand(command, [...trial, ...list], summary)],
      },
    ];
  }
  return [
    {
      text: `Verify ${unverified.join(', ')}: check a password that you know against the hash of its row. The command asks for it and sends nothing.${isTrial ? ' Or give the import known passwords with --canary FILE: they are checked before anything is sent.' : ''}`,
      commands: [`tenant-users hash verify --csv ${quotePath(file)} --by-user-name NAME`],
    },
  ];
}

function endOf({ summary }: ReportData, steps: readonly NextStep[]): NextStep[] {
  const codes = Object.keys(summary.codes);
  const known =
    codes.length > 0 ? [{ text: 'Read more about a code.', commands: ['tenant-users explain CODE'] }] : [];
  if (steps.length > 0) return known;
  const job = quotePath(summary.job);
  return [
    {
      text: 'Nothing is left to do with this file. Keep this page and users.csv with the records of the migration. When they are no longer needed: pack evidence that names nobody, then delete the personal data of the job.',
      commands: [
        `tenant-users evidence ${job} --to ${quotePath(`${summary.job}.evidence`)}`,
        `tenant-users job purge ${job}`,
      ],
    },
  ];
}
