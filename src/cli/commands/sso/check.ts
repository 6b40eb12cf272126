import { connect } from '../../connection/connect.ts';
import { sayTarget } from '../../connection/target-tenant.ts';
import type { AddCommand } from '../../context/context.ts';
import { say } from '../../output/show.ts';
import { deviceOf } from './device.ts';
import { addLoginOptions, issueTicket, loginPassword } from './log-in.ts';
import { showSsoUser } from './verify.ts';

const help = `
Logs the user in, gets a ticket and exchanges it, as an application would; the ticket is not shown. The
tenant counts this login as the user's. The API itself has no login; the local service has one, and a
tenant may have one. Where it is missing, the exit code is 9.

Example:
  $ tenant-users sso check ann --password-file ann.txt --json`;

export const addSsoCheck: AddCommand = (parent, context) => {
  const command = parent
    .command('check')
    .description('Check that a user can log in: password, ticket, and the user of the ticket')
    .argument('<user>', 'user name, mobile number or e-mail address')
    .addHelpText('after', help)
    .action(async (user) => {
      const password = await loginPassword(context, command);
      const device = deviceOf(command);
      sayTarget(context);
      const client = await connect(context);
      const { sso_ticket } = await issueTicket(client, user, password, device);
      const found = await client.verifySsoTicket({ sso_ticket, ...device });
      await showSsoUser(context, found);
      say(context, 'The password is accepted, and the ticket leads to this user');
    });
  addLoginOptions(command);
};
