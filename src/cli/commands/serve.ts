import type { Command } from '@commander-js/extra-typings';
import { startOn } from '../embed.ts';
import { UsageError } from '../failures.ts';
import { toJson } from '../formats/json.ts';
import { numberBetween } from '../parse.ts';
import { defaultDatabase, isLoopback } from '../settings.ts';
import { printableLines, say, write } from '../show.ts';
import type { Session } from '../world.ts';

/** tenant-users serve */
export function addServe(parent: Command, session: Session): void {
  parent
    .command('serve')
    .description('Run the local service: the whole API on a database of your own')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes any free one', numberBetween(0, 65_535), 8080)
    .option('--database <file>', 'SQLite file, or :memory:; default local.db beside the configuration')
    .option('--insecure-http', 'listen on other than loopback without TLS')
    .addHelpText(
      'after',
      `
The first start on a database makes an application and prints its secret once, unless
TENANT_USERS_CLIENT_ID and TENANT_USERS_CLIENT_SECRET give one.

Examples:
  $ tenant-users serve --database tenant.db
  $ tenant-users serve --port 0 --database :memory: --json`,
    )
    .action(async ({ host, port, database = defaultDatabase(session), insecureHttp }) => {
      if (!isLoopback(host) && !insecureHttp) {
        throw new UsageError(
          `${host} is not loopback, and there is no TLS`,
          'Listen on 127.0.0.1, or add --insecure-http behind a proxy that ends TLS.',
        );
      }
      session.endsItself = true;
      const application = applicationOf(session);
      const service = await startOn(database, {
        host,
        port,
        now: session.now,
        report: (error) => session.stderr.write(printableLines(`tenant-users: ${String(error)}\n`)),
        ...(application ? { application } : {}),
      });
      session.atEnd(() => service.close());
      const tenants = service.tenants.map(({ tenantId, clientId, clientSecret }) => ({
        tenant_id: tenantId,
        client_id: clientId,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      }));
      if (session.options.json) {
        await write(session.stdout, `${toJson({ base_url: service.baseUrl, tenants })}\n`);
      } else {
        await write(session.stdout, `Serving on ${service.baseUrl}, database ${database}\n`);
        for (const tenant of tenants) await write(session.stdout, printableLines(introduction(tenant)));
      }
      await ended(session.signal);
      say(session, 'Ended; requests under way were finished');
    });
}

function introduction(tenant: { tenant_id: string; client_id: string; client_secret?: string }): string {
  const secret = tenant.client_secret;
  const told = secret === undefined ? '' : `  client secret: ${secret} (keep it; it is not shown again)\n`;
  return `Tenant ${tenant.tenant_id}\n  client id: ${tenant.client_id}\n${told}`;
}

function applicationOf({ env }: Session) {
  const { TENANT_USERS_CLIENT_ID: client_id, TENANT_USERS_CLIENT_SECRET: client_secret } = env;
  return client_id && client_secret ? { client_id, client_secret } : undefined;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
