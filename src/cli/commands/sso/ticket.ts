import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import type { AddCommand } from '../../context/context.ts';
import { say, showRecord } from '../../output/show.ts';
import { deviceOf } from './device.ts';
import { addLoginOptions, issueTicket, loginPassword } from './log-in.ts';

const help = `
The API itself has no login; the local service has one, and a tenant may have one. Where it is missing,
the exit code is 9.

Example:
  $ tenant-users sso ticket ann --password-file ann.txt --device-fingerprint f00d --json`;

export const addSsoTicket: AddCommand = (parent, context) => {
  const command = parent
    .command('ticket')
    .description('Log a user in and print a new ticket')
    .argument('<user>', 'user name, mobile number or e-mail address')
    .addHelpText('after', help)
    .action(async (user) => {
      const password = await loginPassword(context, command);
      sayTarget(context);
      const client = await connect(context);
      const ticket = await issueTicket(client, user, password, deviceOf(command));
      await showRecord(
        context,
        { sso_ticket: ticket.sso_ticket, expire: ticket.expire },
        ['sso_ticket', 'expire'],
        'sso_ticket',
      );
      say(context, `Logged in as ${user}; the ticket can be used once, within ${ticket.expire} seconds`);
    });
  addLoginOptions(command);
};
