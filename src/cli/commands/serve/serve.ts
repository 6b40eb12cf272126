import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { beginsWith } from '../../../migration/directory/replace-file.ts';
import type { AuditTarget } from '../../../service/audit/audit-log.ts';
import type { RunningService } from '../../../service/open-service.ts';
import { auditFileOf, isUnnamed, shownDatabase } from '../../../text/locations/database-location.ts';
import { quoteWord } from '../../../text/shell-quote.ts';
import { isLoopback } from '../../config/base-url.ts';
import { loosePermissions, statOf } from '../../config/permissions.ts';
import { credentialsOf, defaultDatabase } from '../../config/settings.ts';
import { closeService, fileOfOwner } from '../../connection/audit.ts';
import { startOn, warnExposed } from '../../connection/embedded-service.ts';
import { loadFaultScript, reportTriggered } from '../../connection/fault-script.ts';
import { askBeforeSecondTenant } from '../../connection/local-database.ts';
import type { AddCommand, CommandContext, Output } from '../../context/context.ts';
import { ConfigurationError, reasonOf, UsageError } from '../../errors/errors.ts';
import { readKeyFile } from '../../input/read-input.ts';
import { readDefinitionFiles } from '../../input/tenant-definition.ts';
import { toJson } from '../../output/formats/json.ts';
import { formatOf, linesFor, say, warn, write } from '../../output/show.ts';
import { addServeOptions, type ServeOptions } from './serve-options.ts';

export const addServe: AddCommand = (parent, context) => {
  addServeOptions(
    parent.command('serve').description('Run the local service: the complete API on your own database'),
  ).action((options) => serve(context, options));
};

/** Runs the service until a signal comes, and completes the requests that are open then. */
async function serve(
  context: CommandContext,
  { host, port, database: named, ...options }: ServeOptions,
): Promise<void> {
  refuseTenantOptions(context, named);
  const database = named ?? defaultDatabase(context);
  const tls = await tlsOf(context, host, options);
  const faults =
    options.faults === undefined ? undefined : await loadFaultScript(context, options.faults, host);
  const definitions = options.tenant && (await readDefinitionFiles(context, options.tenant));
  warnExposed(context, database);
  if (definitions) {
    const ids = definitions.map(({ tenant_id: id }) => id);
    await askBeforeSecondTenant(context, database, ids, 'serve was not started');
  }
  const audit = await auditOfServe(context, options.audit, database);
  const service = await startOn(database, {
    host,
    port,
    now: context.now,
    docs: options.docs === true,
    metrics:
      options.metricsPort === undefined
        ? undefined
        : { host: options.metricsHost, port: options.metricsPort },
    log: { level: options.logLevel, to: audit && 'to' in audit ? { write: audit.to.offer } : context.stderr },
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
  // The mode of a device is not ours to judge.
  if (audit && 'file' in audit && statOf(audit.file)?.isFile())
    for (const fault of loosePermissions(audit.file)) warn(context, fault);
  // A service without a reader goes on, and one whose secret nobody can read ends below; neither ends as `main.ts` ends commands.
  context.stdout.removeAllListeners('error').on('error', () => {});
  await announce(context, service, { database, audit });
  if (service.isGivenRefused)
    warn(
      context,
      'The application of TENANT_USERS_CLIENT_ID cannot log in with TENANT_USERS_CLIENT_SECRET: the database has it with another secret, or for a tenant that is not served. What is stored is valid. Correct both variables, or unset them.',
    );
  if (options.publicUrl === undefined && !isLoopback(host))
    say(
      context,
      `Id tokens name ${service.baseUrl} as their issuer. Where callers use another address, give it with --public-url.`,
    );
  if (!context.signal.aborted) await once(context.signal, 'abort');
  const cutOff = await service.drain();
  // Before anything else is written to stderr, where the audit log may be.
  await closeService(context, service);
  const outcome = cutOff === 0 ? 'all open requests were completed' : `open requests cut off: ${cutOff}`;
  say(context, `Stopped; ${outcome}`);
  if (faults) reportTriggered(context, faults);
}

/** Options that select a tenant for other commands, and what to do instead. */
const refused = [
  ['local', '--local', 'Use --database.'],
  ['profile', '--profile', 'Use --database. To see the database of a profile: tenant-users profiles list'],
  ['baseUrl', '--base-url', 'Use --host and --port; --public-url is the address in id tokens.'],
] as const;

/** Throws a `UsageError` where other commands would use a database that `serve` does not: it would go to the default one. */
function refuseTenantOptions({ options, env }: CommandContext, database: string | undefined): void {
  for (const [key, option, hint] of refused)
    if (options[key] !== undefined) throw new UsageError(`serve takes --database, not ${option}`, hint);
  if (database === undefined && env.TENANT_USERS_LOCAL)
    throw new UsageError(
      'serve takes --database, not TENANT_USERS_LOCAL',
      'Name the database with --database, or unset the variable to serve the default one.',
    );
}

/** The certificate and the key of the options; `undefined` for plain HTTP. Throws a `UsageError` if that would leave this machine. */
async function tlsOf(
  context: CommandContext,
  host: string,
  { tlsCert, tlsKey, insecureHttp }: Pick<ServeOptions, 'tlsCert' | 'tlsKey' | 'insecureHttp'>,
) {
  const { readTls } = await import('../../input/read-tls.ts');
  const tls = readTls(context, tlsCert, tlsKey);
  if (!isLoopback(host) && !tls && !insecureHttp) {
    throw new UsageError(
      `${host} is not a loopback address, and TLS is not configured`,
      'Listen on 127.0.0.1, use --tls-cert and --tls-key, or add --insecure-http behind a proxy that terminates TLS.',
    );
  }
  return tls;
}

/** Where the audit log goes. By default, a database in memory has none, since it is lost at the end as well. */
async function auditOfServe(context: CommandContext, given: string | undefined, database: string) {
  const byDefault = isUnnamed(database) ? 'off' : (auditFileOf(database) ?? 'stderr');
  const target = given ?? byDefault;
  if (target === 'off') return undefined;
  if (target === 'stderr' || isOpenAs(context.stderr, target)) {
    const { linesOf } = await import('../../../service/audit/line-writer.ts');
    return { to: linesOf(context.stderr) };
  }
  if (target === '-' || isOpenAs(context.stdout, target)) {
    throw new UsageError(
      'the audit log cannot go to standard output, where serve prints its address and new secrets',
      'Use --audit stderr, or name a file.',
    );
  }
  const file = fileOfOwner(target, database);
  // What is added to a database, a key file or a list damages it. One with an owner is not looked at: it may be a link.
  const found = given === undefined || file.owner ? undefined : statOf(target);
  if (found?.isFile() && found.size > 0 && !beginsWith(target, '{"time":"'))
    throw new UsageError(`--audit ${target} is there, and no audit log`, 'Name another file with --audit.');
  return file;
}

/**
 * True if a path such as `/dev/stderr` is what the stream writes to: opened a second time, what one of the two writes to a file would
 * overwrite what the other has written. `/dev/null` is nobody's.
 */
function isOpenAs({ fd, isTTY }: Output, path: string): boolean {
  const found = statOf(path);
  if (fd === undefined || !found || (found.isCharacterDevice() && !isTTY)) return false;
  const { dev, ino } = fstatSync(fd);
  return found.dev === dev && found.ino === ino;
}

/** The application of the environment; throws a `ConfigurationError` for half of one, in whose place another would be created. */
function applicationOf({ env }: CommandContext) {
  const { clientId: client_id, clientSecret: client_secret } = credentialsOf(env);
  if (client_id && client_secret) return { client_id, client_secret };
  if (!client_id && !client_secret) return undefined;
  const [id, secret] = ['TENANT_USERS_CLIENT_ID', 'TENANT_USERS_CLIENT_SECRET'];
  throw new ConfigurationError(
    client_id ? `${id} is set, but ${secret} is not` : `${secret} is set, but ${id} is not`,
    'Set both, or neither: serve then uses the application that is stored, and creates one if the tenant has none.',
  );
}

/**
 * Creates the applications that are missing, and prints where the service listens and the new credentials. Throws a
 * `ConfigurationError` if a secret cannot be written; a service without a new secret needs no reader. The application stays: another
 * node may have announced it.
 */
async function announce(
  context: CommandContext,
  service: RunningService,
  { database, audit }: { database: string; audit: AuditTarget | undefined },
): Promise<void> {
  const tenants = await service.openAccess();
  const made = tenants.filter(({ client_secret }) => client_secret !== undefined);
  const print = (text: string) =>
    made.length === 0
      ? write(context.stdout, text)
      : writeWhole(context, text).catch((cause) => {
          const advice = isUnnamed(database)
            ? []
            : made.map((one) => `To replace it: ${replaceSecret(one, database)}`);
          throw new ConfigurationError(
            `the secret of a new application could not be printed, and is lost (${reasonOf(cause)})`,
            ['Give serve a reader.', ...advice].join('\n'),
          );
        });
  const metricsAt = service.metricsUrl === undefined ? {} : { metrics_url: service.metricsUrl };
  if (formatOf(context) === 'json') {
    await print(`${toJson({ base_url: service.baseUrl, ...metricsAt, tenants })}\n`);
  } else {
    const lines = [
      `Serving on ${service.baseUrl}, database ${shownDatabase(database, context.env)}`,
      ...Object.values(metricsAt).map((url) => `Metrics: ${url}`),
      ...(audit ? [`Audit log: ${'file' in audit ? audit.file : 'stderr'}`] : []),
      ...tenants.flatMap(describeTenant),
    ];
    await print(`${linesFor(context, lines.join('\n'), 'stdout')}\n`);
  }
  for (const one of tenants.filter(({ unused }) => unused))
    say(
      context,
      `The application of tenant ${one.tenant_id} seems unused. If nobody has its secret, replace it:\n  ${replaceSecret(one, database)}`,
    );
}

/** Waits until the text was written, because nobody can read the secret in it again. */
function writeWhole({ stdout }: CommandContext, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(text, (fault) => (fault ? reject(fault) : resolve()));
  });
}

/** The command for another secret. An address with a password is refused before. */
function replaceSecret({ client_id }: { client_id: string }, database: string): string {
  return `tenant-users apps rotate-secret ${client_id} --lost --local ${quoteWord(database)}`;
}

function describeTenant(tenant: { tenant_id: string; client_id: string; client_secret?: string }): string[] {
  const { tenant_id, client_id, client_secret: secret } = tenant;
  const secretLines =
    secret === undefined ? [] : [`  client secret: ${secret}`, '  Save it: it is not shown again.'];
  return [`Tenant ${tenant_id}`, `  client id: ${client_id}`, ...secretLines];
}
