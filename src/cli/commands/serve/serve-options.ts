import { type Command, Option } from '@commander-js/extra-typings';
import type { LogLevel } from '../../../service/http/log.ts';
import { faultsHelp } from '../../connection/fault-script.ts';
import {
  parseDatabase,
  parseFiles,
  parseNetworks,
  parseNumberBetween,
  parsePublicUrl,
  parseRate,
} from '../../input/option-parsers.ts';

const logLevels = ['silent', 'error', 'warn', 'info'] as const satisfies readonly LogLevel[];

/** What the options of `serve` say. */
export type ServeOptions = ReturnType<ReturnType<typeof addServeOptions>['opts']>;

/** Adds the options of `serve` and its help. */
export function addServeOptions(command: Command) {
  return command
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
A start creates an application for a tenant that has none, and prints its secret once. To choose the
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
    .addHelpText('after', faultsHelp);
}
