import { onOneLine } from '../../text/printable.ts';
import { withConnection } from '../context/connection-options.ts';
import { type AddCommand, type CommandContext, canAsk } from '../context/context.ts';
import type { Check, Fix, MadeFix } from '../doctor/check.ts';
import { ReportedError } from '../errors/errors.ts';
import { requireYes } from '../input/prompts.ts';
import { linesFor, say, show, wantsFields, warn, write } from '../output/show.ts';
import { widthOf } from '../output/styles.ts';

const help = `
Each check is ok, warning, failed or skipped. The exit code is 0 if no check failed, otherwise that
of the first failure: 3 configuration, 4 authentication, 9 network.

--fix lists what it would do and asks first; in a script, pass --yes. It restricts files of
this program to your account, and deletes locks and temporary files that a killed process left more
than a minute or an hour ago. It changes no setting, no database, no journal and nothing in a tenant.

Examples:
  $ tenant-users doctor
  $ tenant-users doctor --fix
  $ tenant-users doctor --profile acme --json | jq '.checks[] | select(.status != "ok")'
  $ tenant-users doctor --local rehearsal.db`;

export const addDoctor: AddCommand = (parent, context) => {
  parent
    .command('doctor')
    .description('Check configuration, files, network, TLS, clock and token; the output has no secrets')
    .option('--fix', 'correct what can be corrected without a loss: permissions, leftovers')
    .addHelpText('after', help)
    .action(async ({ fix }) => {
      const made = fix ? await fixFiles(context) : undefined;
      const { examine } = await import('../doctor/examine.ts');
      const results = await examine(context);
      const failed = results.find(({ status }) => status === 'failed');
      const checks = results.map(({ exitCode: _, fixes: __, ...check }): Check => check);
      if (!wantsFields(context)) await write(context.stdout, textOf(context, checks));
      else {
        const rest = () => ({ ok: failed === undefined, ...(made ? { fixes: made } : {}) });
        const columns = ['name', 'status', 'message', 'hint'];
        await show(context, { rows: checks, list: { name: 'checks', rest }, columns });
      }
      if (failed) throw new ReportedError(failed.exitCode);
    });
};

/** Lists the fixes to files, makes them if a person agrees, and says what was done. */
async function fixFiles(context: CommandContext): Promise<MadeFix[]> {
  const { checkFiles } = await import('../doctor/file-checks.ts');
  const { checkConfiguration } = await import('../doctor/examine.ts');
  const { makeFixes } = await import('../doctor/check.ts');
  const checks = [checkConfiguration(context), ...(await checkFiles(context))];
  const fixes = checks.flatMap((check) => check.fixes ?? []);
  if (fixes.length === 0) {
    say(context, 'There is nothing to fix');
    return [];
  }
  const list = fixes.map((one) => `${described(one)}\n`).join('');
  if (!context.options.yes && !canAsk(context)) say(context, `To be done:\n${list.trimEnd()}`);
  await requireYes(context, 'Apply these fixes?', 'nothing was fixed', list);
  const made = makeFixes(fixes);
  const done = made.filter(({ error }) => error === null);
  for (const one of made) {
    if (one.error === null) say(context, `Done: ${described(one)}`);
    else warn(context, `not done: ${described(one)}: ${one.error}`);
  }
  say(context, `Done: ${done.length} of ${made.length}`);
  return made;
}

function described({ action, path }: Pick<Fix, 'action' | 'path'>): string {
  return `${action} ${path}`;
}

/** One line per check, with its hint below. Not a table, which a narrow terminal would cut. */
function textOf(context: CommandContext, checks: readonly Check[]): string {
  const widest = Math.max(...checks.map(({ name }) => name.length));
  const label = 9 + widest + 2;
  const { stdout } = context;
  // A narrow terminal has no room beside the names.
  const indent = stdout.isTTY && label > widthOf(stdout) / 2 ? 2 : label;
  const lines = checks.flatMap(({ name, status, message, hint }) => [
    `${status.padEnd(9)}${name.padEnd(widest)}  ${onOneLine(message)}`,
    ...(hint ? [`${' '.repeat(indent)}→ ${onOneLine(withConnection(context, hint))}`] : []),
  ]);
  return `${linesFor(context, lines.join('\n'), 'stdout', label)}\n`;
}
