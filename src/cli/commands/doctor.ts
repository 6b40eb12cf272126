import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../context/context.ts';
import type { Check, CheckResult } from '../doctor/check.ts';
import { ReportedError } from '../errors/errors.ts';
import { formatOf, linesFor, show, write } from '../output/show.ts';

/** tenant-users doctor */
export function addDoctor(parent: Command, context: CommandContext): void {
  parent
    .command('doctor')
    .description('Check configuration, network, TLS, clock and token; the output has no secrets')
    .addHelpText(
      'after',
      `
Each check is ok, warning, failed or skipped. The exit code is 0 if no check failed, otherwise that
of the first failure: 3 configuration, 4 authentication, 9 network.

Examples:
  $ tenant-users doctor
  $ tenant-users doctor --profile acme --json | jq '.checks[] | select(.status != "ok")'
  $ tenant-users doctor --local rehearsal.db`,
    )
    .action(async () => {
      const { examine } = await import('../doctor/examine.ts');
      const results = await examine(context);
      const failed = results.find(({ status }) => status === 'failed');
      const checks = results.map(checkOf);
      if (formatOf(context) === 'table') await write(context.stdout, textOf(context, checks));
      else {
        const rest = () => ({ ok: failed === undefined });
        const columns = ['name', 'status', 'message', 'hint'];
        await show(context, { rows: checks, list: { name: 'checks', rest }, columns, knownColumns: columns });
      }
      if (failed) throw new ReportedError(failed.exitCode);
    });
}

function checkOf({ name, status, message, hint }: CheckResult): Check {
  return { name, status, message, hint };
}

/** A line a check, and what to do below it: no table, which a narrow terminal would cut. */
function textOf(context: CommandContext, checks: readonly Check[]): string {
  const widest = Math.max(...checks.map(({ name }) => name.length));
  const label = 9 + widest + 2;
  const lines = checks.flatMap(({ name, status, message, hint }) => [
    `${status.padEnd(9)}${name.padEnd(widest)}  ${oneLine(message)}`,
    ...(hint ? [`${' '.repeat(label)}→ ${oneLine(hint)}`] : []),
  ]);
  return `${linesFor(context, lines.join('\n'), 'stdout', label)}\n`;
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
