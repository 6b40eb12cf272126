import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../../../src/service/storage/engine/database.ts';
import { openPostgres } from '../../../../../src/service/storage/engine/postgres/postgres.ts';
import { startTlsPostgres, tlsFile } from '../../../../cluster/tls-postgres.mjs';
import { quietPort } from '../../../../quiet-port.mjs';

type Server = Awaited<ReturnType<typeof startTlsPostgres>>;

let server: Server;
beforeAll(async () => {
  server = await startTlsPostgres();
}, 60_000);
afterAll(() => server.stop());

/** Opens the database as `serve` does; returns whether its connection has TLS, or why there is none. */
async function open(parameters: string): Promise<string> {
  const url = `postgres://postgres@localhost:${server.port}/postgres?${parameters}`;
  const database = await openPostgres(url).catch((error: unknown) => String(error));
  if (typeof database === 'string') return database;
  onTestFinished(() => database.close());
  return protectionOf(database);
}

async function protectionOf(database: Database): Promise<'TLS' | 'clear'> {
  const sql = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
  const [row] = await database.query<{ ssl: boolean }>(sql, []);
  return row?.ssl ? 'TLS' : 'clear';
}

const ours = `sslrootcert=${encodeURIComponent(tlsFile('authority'))}`;
/** An authority that did not sign the certificate of the server. */
const another = `sslrootcert=${encodeURIComponent(tlsFile('cert'))}`;

const [tls, clear] = [/^TLS$/, /^clear$/];
const notSigned = /self-signed certificate in certificate chain|unable to (?:verify|get)/;
const otherName = /Hostname\/IP does not match certificate's altnames/;

type Allowed = Parameters<Server['allow']>[0];

/** Which connections a server accepts, and what each `sslmode` results in. */
const servers: Record<string, { allowed: Allowed; outcomes: [string, RegExp][] }> = {
  'with TLS': {
    allowed: { certificate: 'tenant-cert', connections: 'host' },
    outcomes: [
      ['', clear],
      ['sslmode=disable', clear],
      ['sslmode=allow', clear],
      ['sslmode=prefer', tls],
      ['sslmode=require', tls],
      [`sslmode=require&${ours}`, tls],
      [`sslmode=require&${another}`, notSigned],
      [`sslmode=verify-ca&${ours}`, tls],
      [`sslmode=verify-ca&${another}`, notSigned],
      [`sslmode=verify-full&${ours}`, tls],
      [`sslmode=verify-full&${another}`, notSigned],
      ['sslmode=verify-full', notSigned],
    ],
  },
  'with a certificate for another name': {
    allowed: { certificate: 'tenant-other-name', connections: 'host' },
    outcomes: [
      ['sslmode=prefer', tls],
      ['sslmode=require', tls],
      [`sslmode=verify-ca&${ours}`, tls],
      [`sslmode=verify-ca&${another}`, notSigned],
      [`sslmode=verify-full&${ours}`, otherName],
    ],
  },
  'that insists on TLS': {
    allowed: { certificate: 'tenant-cert', connections: 'hostssl' },
    outcomes: [
      ['sslmode=disable', /no encryption/],
      ['sslmode=allow', tls],
      ['sslmode=prefer', tls],
      [`sslmode=verify-full&${ours}`, tls],
    ],
  },
  'that has TLS and takes none': {
    allowed: { certificate: 'tenant-cert', connections: 'hostnossl' },
    outcomes: [
      ['sslmode=prefer', clear],
      ['sslmode=require', /SSL encryption/],
    ],
  },
  'without TLS': {
    allowed: { certificate: undefined, connections: 'host' },
    outcomes: [
      ['sslmode=disable', clear],
      ['sslmode=allow', clear],
      ['sslmode=prefer', clear],
      ['sslmode=require', /does not support SSL/],
      [`sslmode=verify-ca&${ours}`, /does not support SSL/],
      [`sslmode=verify-full&${ours}`, /does not support SSL/],
    ],
  },
};

test.each(Object.keys(servers))('each sslmode has its outcome at a server %s', async (name) => {
  const { allowed, outcomes = [] } = servers[name] ?? {};
  if (allowed) await server.allow(allowed);
  const found: string[] = [];
  for (const [parameters] of outcomes) found.push(await open(parameters));
  expect(found).toEqual(outcomes.map(([, expected]) => expect.stringMatching(expected)));
});

test('a connection that had TLS has it again when the server is back', async () => {
  await server.allow({ certificate: 'tenant-cert', connections: 'host' });
  const port = await quietPort();
  const way = await openWay(port);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=prefer`;
  const database = await openPostgres(url, { poolSize: 1 });
  onTestFinished(() => database.close());
  expect(await protectionOf(database)).toBe('TLS');
  await way.close();
  await expect(protectionOf(database)).rejects.toThrow();
  await expect(protectionOf(database)).rejects.toMatchObject({ code: 'NOT_CONNECTED' });
  await openWay(port);
  expect(await protectionOf(database)).toBe('TLS');
});

/** A port of the loopback address that forwards to the server until it is closed. */
async function openWay(port: number) {
  const open = new Set<Socket>();
  const listener = createServer((socket) => {
    const behind = connect(server.port, '127.0.0.1');
    for (const end of [socket, behind]) {
      open.add(end);
      end.on('error', () => {});
    }
    socket.pipe(behind).pipe(socket);
  }).listen(port, '127.0.0.1');
  await once(listener, 'listening');
  const close = async () => {
    for (const socket of open) socket.destroy();
    if (!listener.listening) return;
    listener.close();
    await once(listener, 'close');
  };
  onTestFinished(close);
  return { close };
}
