import { release } from 'node:os';
import type { Command } from '@commander-js/extra-typings';
import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import type { CommandContext } from '../../context/context.ts';
import { RefusedError, UsageError } from '../../errors/errors.ts';
import { parseHeaderText, secretOption } from '../../input/option-parsers.ts';
import { askSecret } from '../../input/prompts.ts';
import { readSecret } from '../../input/read-input.ts';
import { say, show } from '../../output/show.ts';
import { type DeviceOptions, deviceFromOptions } from './device.ts';

interface TicketOptions extends Omit<DeviceOptions, 'osVersion'> {
  osVersion?: string;
  passwordStdin?: true;
  passwordFile?: string;
}

/** tenant-users sso ticket */
export function addSsoTicket(parent: Command, context: CommandContext): void {
  parent
    .command('ticket')
    .description('Log a user in and print a new ticket (local service only)')
    .argument('<user>', 'user name, mobile number or e-mail address')
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-file <file>', 'read the password from a file')
    .addOption(
      secretOption(
        '--password',
        'a password',
        '--password-file, --password-stdin or the prompt without either',
      ),
    )
    .option(
      '--os-version <version>',
      'operating system version of the device (default: that of this machine)',
      parseHeaderText,
    )
    .option('--device-ip <address>', 'IP address of the device', '127.0.0.1')
    .option('--device-fingerprint <text>', 'fingerprint of the device', parseHeaderText, 'tenant-users')
    .option('--agent <text>', 'user agent of the device', parseHeaderText)
    .addHelpText(
      'after',
      `
Example:
  $ tenant-users sso ticket ann --password-file ann.txt --device-fingerprint f00d --json`,
    )
    .action(async (user, options) => {
      const password = await passwordOf(context, options);
      const device = deviceFromOptions({ ...options, osVersion: options.osVersion ?? release() });
      sayTarget(context);
      const client = await connect(context);
      const login = await client.logIn(user, password, device);
      if (login.status !== 'SUCCESS') {
        throw new RefusedError(
          login.status,
          'the password is correct, but must be changed before the first session (pwd_must_modify)',
          'To avoid this, import or create the user with pwd_must_modify=false.',
        );
      }
      const ticket = await client.issueSsoTicket(login.session_token, device);
      await show(context, {
        rows: [{ sso_ticket: ticket.sso_ticket, expire: ticket.expire }],
        columns: ['sso_ticket', 'expire'],
        single: true,
        id: 'sso_ticket',
      });
      say(context, `Logged in as ${user}; the ticket can be used once, within ${ticket.expire} seconds`);
    });
}

async function passwordOf(context: CommandContext, options: TicketOptions): Promise<string> {
  const { passwordStdin, passwordFile } = options;
  if (passwordStdin && passwordFile !== undefined) {
    throw new UsageError(
      '--password-stdin and --password-file cannot be used together',
      'Use only one of them.',
    );
  }
  if (passwordStdin) return readSecret(context, '-', 'password');
  if (passwordFile !== undefined) return readSecret(context, passwordFile, 'password');
  return askSecret(context, 'Password', '--password-stdin or --password-file');
}
