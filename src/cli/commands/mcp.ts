import { resolve } from 'node:path';
import { targetTenant } from '../connection/connect.ts';
import type { AddCommand } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { readText } from '../input/read-input.ts';

const help = `
An agent's program starts this command; it ends when its input ends. The tools read the tenant of the
profile, count, compare, forecast, watch jobs and make plans. They show no value that identifies a
person, no password and no hash. Nothing is changed, unless a public key is given: then a plan that a
person has signed with plan sign can be applied. docs/guide/agents.md says what this protects from,
and what not.

Examples:
  $ tenant-users mcp --profile test --root ./migration
  $ tenant-users mcp --root ./migration --require-signature approver.pub`;

export const addMcp: AddCommand = (parent, context) => {
  parent
    .command('mcp')
    .description('Serve tools to an AI agent over stdin and stdout (Model Context Protocol)')
    .option('--root <directory>', 'where the files are that tools may read and write', '.')
    .option('--with-values', 'show values of users and of files to the agent')
    .option('--require-signature <file>', 'offer apply, for plans signed for this public key')
    .addHelpText('after', help)
    .action(async ({ root, withValues = false, requireSignature }) => {
      if (context.stdin.isTTY) {
        throw new UsageError(
          'mcp must be started by an agent, but standard input is a terminal',
          'Name this command in the settings of your agent: docs/guide/agents.md',
        );
      }
      // The command lines of the tools leave out an address that may contain a secret, and would use another tenant.
      targetTenant(context);
      if (requireSignature === '-')
        throw new UsageError(
          '--require-signature needs a file: standard input is the channel of the agent',
          'Put the public key into a file.',
        );
      const publicKey = requireSignature !== undefined && {
        file: resolve(requireSignature),
        text: await readText(context, requireSignature),
      };
      const { serveMcp } = await import('../mcp/serve-mcp.ts');
      await serveMcp(context, { root, withValues, ...(publicKey ? { publicKey } : {}) });
      context.signal.throwIfAborted();
    });
};
