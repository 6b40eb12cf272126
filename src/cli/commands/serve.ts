import { once } from 'node:events';
import { statSync } from 'node:fs';
import { type Command, Option } from '@commander-js/extra-typings';
import type { AuditTarget } from '../../service/audit/audit-log.ts';
import type { LogLevel } from '../../service/http/log.ts';
import type { RunningService } from '../../service/open-service.ts';
import { auditFileOf, isUnnamed, shownDatabase } from '../../text/database-location.ts';
import { loosePermissions } from '../config/permissions.ts';
import { defaultDatabase, isLoopback } from '../config/settings.ts';
import { startOn, warnUnencrypted } from '../connection/embedded-service.ts';
import { faultsHelp, loadFaultScript, reportTriggered } from '../connection/fault-script.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import {
  parseDatabase,
  parseFiles,
  parseNetworks,
  parseNumberBetween,
  parsePublicUrl,
  parseRate,
} from '../input/option-parsers.ts';
import { readKeyFile } from '../input/read-key-file.ts';
import { readDefinitionFiles } from '../input/tenant-definition.ts';
import { toJson } from '../output/formats/json.ts';
import { linesFor, say, warn, write } from '../output/show.ts';

const logLevels = ['silent', 'error', 'warn', 'info'] as const satisfies readonly LogLevel[];

/** tenant-users serve */
export function addServe(parent: Command, context: CommandContext): void {
  parent
    .command('serve')
    .description('Run the local service: the complete API on your own database')
    .optionsGroup('Address:')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 for any free port', parseNumberBetween(0, 65_535), 8080)
    .option(
      '--public-url <url>',
      'the address of the service in its id tokens (default: where it listens)',
      parsePublicUrl,
    )
    .option('--tls-cert <file>', 'serve HTTPS with this certificate chain (PEM)')
    .option('--tls-key <file>', 'private key of the certificate (PEM)')
    .option('--insecure-http', 'allow plain HTTP on addresses other than loopback')
    .option(
      '--trust-proxy <addresses>',
      "read the callers' addresses from X-Forwarded-For as these proxies send it (comma-separated)",
      parseNetworks,
    )
    .optionsGroup('Data:')
    .option(
      '--database <file>',
      'SQLite file, :memory: or postgres://… (default: local.db in the configuration directory)',
      parseDatabase,
    )
    .option('--tenant <file>', 'file with a tenant definition to store and serve (repeatable)', parseFiles)
    .option(
      '--key-file <file>',
      'encrypt the signing keys in the database with this file (default: TENANT_USERS_KEY_FILE)',
    )
    .option(
      '--pool-size <number>',
      'connections to PostgreSQL to read over; one more writes',
      parseNumberBetween(1, 500),
      10,
    )
    .option('--commit-thread', 'commit to a SQLite file in a thread of its own')
    .optionsGroup('Limits:')
    .option(
      '--rate-limit <number/s>',
      'maximum requests per second and application (default: no limit)',
      parseRate,
    )
    .option(
      '--address-limit <number/s>',
      'maximum requests without an access token per second and address',
      parseRate,
      20,
    )
    .option(
      '--drain-timeout <seconds>',
      'maximum wait for open requests on shutdown',
      parseNumberBetween(0, 3600),
      9,
    )
    .optionsGroup('Logs and pages:')
    .option(
      '--audit <file>',
      'audit log: a file, stderr or off (default: beside a SQLite file, stderr for PostgreSQL)',
    )
    .addOption(
      new Option('--log-level <level>', 'log level; the log on stderr has one JSON object per line')
        .choices(logLevels)
        .default('warn' as const),
    )
    .option(
      '--metrics-port <number>',
      'serve /metrics for Prometheus on a port of its own, over plain HTTP; 0 for any free port',
      parseNumberBetween(0, 65_535),
    )
    .option('--metrics-host <address>', 'address that the metrics listen on', '127.0.0.1')
    .option('--docs', 'also serve the API as a page at /docs, and as OpenAPI at /openapi.json')
    .optionsGroup('Testing:')
    .option('--faults <file>', 'inject the faults described in this JSON file; loopback only')
    .addHelpText(
      'after',
      `
The first start on a database creates an application and prints its secret once. To choose the
credentials yourself, set TENANT_USERS_CLIENT_ID and TENANT_USERS_CLIENT_SECRET (for the first tenant).

With --tenant, exactly the tenants of these files are served, and the files are stored in the
database. Without it, the tenants of the database are served: see tenant apply.

--rate-limit 100/s allows bursts of 100 requests, then 100 per second; further requests get 429 with
Retry-After. Logins and calls for tokens are limited by address, to 20/s with bursts of 200. Behind a
proxy, name it with --trust-proxy 10.0.0.7 or a network such as 10.0.0.0/8: otherwise all callers share
its address. --log-level info logs every request; warn and error log only failures of the service. Logs
contain no secrets, queries or bodies.

The audit log has a JSON object per line for each login, token, ticket and change of a user: who, whom,
what and the outcome, never a value. It can be moved away at any time. While it cannot be written,
these requests get 503. To read it, run: tenant-users audit

The service also answers /healthz and /readyz. On SIGTERM or SIGINT it completes open requests before
it exits; until then /readyz returns 503.

With --commit-thread, requests do not wait for the disk. It pays off on a machine with an idle core.

Examples:
  $ tenant-users serve --database tenant.db
  $ tenant-users serve --tenant acme.json --tenant globex.json
  $ tenant-users serve --port 0 --database :memory: --json
  $ tenant-users serve --host 0.0.0.0 --tls-cert chain.pem --tls-key key.pem --log-level info`,
    )
    .addHelpText('after', faultsHelp)
    .action(async ({ host, port, database = defaultDatabase(context), insecureHttp, ...options }) => {
      if (context.options.local !== undefined)
        throw new UsageError('serve takes --database, not --local', 'Use --database.');
      const { readTls } = await import('../input/read-tls.ts');
      const tls = readTls(options.tlsCert, options.tlsKey);
      if (!isLoopback(host) && !tls && !insecureHttp) {
        throw new UsageError(
          `${host} is not a loopback address, and TLS is not configured`,
          'Listen on 127.0.0.1, use --tls-cert and --tls-key, or add --insecure-http behind a proxy that terminates TLS.',
        );
      }
      const faults =
        options.faults === undefined ? undefined : await loadFaultScript(context, options.faults, host);
      const definitions = options.tenant && (await readDefinitionFiles(context, options.tenant));
      warnUnencrypted(context, database);
      const audit = auditOfServe(context, options.audit, database);
      const service = await startOn(database, {
        host,
        port,
        now: context.now,
        docs: options.docs === true,
        metrics:
          options.metricsPort === undefined
            ? undefined
            : { host: options.metricsHost, port: options.metricsPort },
        log: { level: options.logLevel, to: context.stderr },
        timeouts: { drain: options.drainTimeout * 1000 },
        tenants: definitions,
        tls,
        faults,
        audit,
        wrapHashes: true,
        commitThread: options.commitThread,
        poolSize: options.poolSize,
        addressLimit: options.addressLimit,
        publicUrl: options.publicUrl,
        trustProxy: options.trustProxy,
        rateLimit: options.rateLimit,
        application: applicationOf(context),
        keySecret: readKeyFile(context, options.keyFile),
      });
      // Interrupted while it started: the command has ended already.
      if (context.signal.aborted) return service.close();
      context.onExit(() => service.close());
      context.handlesSignals = true;
      if (audit && 'file' in audit && isFile(audit.file))
        for (const fault of loosePermissions(audit.file)) warn(context, fault);
      await announce(context, service, { database, audit });
      if (options.publicUrl === undefined && !isLoopback(host))
        say(
          context,
          `Id tokens name ${service.baseUrl} as their issuer. Where callers use another address, give it with --public-url.`,
        );
      if (!context.signal.aborted) await once(context.signal, 'abort');
      const cutOff = await service.drain();
      const outcome = cutOff === 0 ? 'all open requests were completed' : `open requests cut off: ${cutOff}`;
      say(context, `Stopped; ${outcome}`);
      if (faults) reportTriggered(context, faults);
    });
}

/** Prints where the service listens, and the credentials that it has just made. */
async function announce(
  context: CommandContext,
  service: RunningService,
  { database, audit }: { database: string; audit: AuditTarget | undefined },
): Promise<void> {
  const tenants = service.tenants.map(({ tenantId, clientId, clientSecret }) => ({
    tenant_id: tenantId,
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
  }));
  const metricsAt = service.metricsUrl === undefined ? {} : { metrics_url: service.metricsUrl };
  if (context.options.json) {
    await write(context.stdout, `${toJson({ base_url: service.baseUrl, ...metricsAt, tenants })}\n`);
  } else {
    const lines = [
      `Serving on ${service.baseUrl}, database ${shownDatabase(database)}`,
      ...Object.values(metricsAt).map((url) => `Metrics: ${url}`),
      ...(audit ? [`Audit log: ${'file' in audit ? audit.file : 'stderr'}`] : []),
      ...tenants.flatMap(describeTenant),
    ];
    await write(context.stdout, `${linesFor(context, lines.join('\n'), 'stdout')}\n`);
  }
}

/** Where the audit log goes. By default, a database in memory has none, since it is lost at the end as well. */
function auditOfServe(
  context: CommandContext,
  given: string | undefined,
  database: string,
): AuditTarget | undefined {
  const byDefault = isUnnamed(database) ? 'off' : (auditFileOf(database) ?? 'stderr');
  const target = given ?? byDefault;
  if (target === 'off') return undefined;
  return target === 'stderr' ? { to: context.stderr } : { file: target };
}

/** True for a regular file; false for a device, whose mode is not ours to judge. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function describeTenant(tenant: { tenant_id: string; client_id: string; client_secret?: string }): string[] {
  const { tenant_id, client_id, client_secret: secret } = tenant;
  const secretLines =
    secret === undefined ? [] : [`  client secret: ${secret}`, '  Save it: it is not shown again.'];
  return [`Tenant ${tenant_id}`, `  client id: ${client_id}`, ...secretLines];
}

function applicationOf({ env }: CommandContext) {
  const { TENANT_USERS_CLIENT_ID: client_id, TENANT_USERS_CLIENT_SECRET: client_secret } = env;
  return client_id && client_secret ? { client_id, client_secret } : undefined;
}
