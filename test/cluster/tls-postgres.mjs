import { chmodSync, chownSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { postgresBinaries } from '../postgres-binaries.mjs';
import { startPostgres } from '../postgres-server.mjs';
import { quietPort } from '../quiet-port.mjs';
import { unprivileged } from '../unprivileged.mjs';

/** A certificate of fixtures/tls. @param {string} name */
export function tlsFile(name) {
  return fileURLToPath(new URL(`../../fixtures/tls/test-only-${name}.pem`, import.meta.url));
}

/** @typedef {'tenant-cert' | 'tenant-other-name'} Certificate Of the authority of fixtures/tls, for localhost or not. */

/**
 * Starts a PostgreSQL on a port of 127.0.0.1. `allow` sets whether it has TLS, with which certificate, and which
 * connections to the port it accepts.
 */
export async function startTlsPostgres() {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error('there is no PostgreSQL');
  const port = await quietPort();
  const { directory, urlOf, stop } = await startPostgres(binaries, { durable: false, port });
  const user = unprivileged();
  for (const name of ['tenant-cert', 'tenant-other-name', 'tenant-key']) {
    const copy = join(directory, name);
    copyFileSync(tlsFile(name), copy);
    if (user) chownSync(copy, user.uid, user.gid);
    chmodSync(copy, 0o600);
  }

  /** @param {string} sql */
  async function query(sql) {
    const client = new pg.Client(urlOf('postgres'));
    await client.connect();
    const { rows } = await client.query(sql);
    await client.end();
    return rows;
  }

  return {
    port,
    /** @param {{ certificate: Certificate | undefined, connections: 'host' | 'hostssl' | 'hostnossl' }} allowed */
    async allow({ certificate, connections }) {
      const access = `local all all trust\n${connections} all all 127.0.0.1/32 trust\n`;
      writeFileSync(join(directory, 'data', 'pg_hba.conf'), access);
      const [{ before }] = await query('SELECT clock_timestamp()::text AS before');
      const file = join(directory, certificate ?? 'tenant-cert');
      await query(`ALTER SYSTEM SET ssl_cert_file = '${file}'`);
      await query(`ALTER SYSTEM SET ssl_key_file = '${join(directory, 'tenant-key')}'`);
      await query(`ALTER SYSTEM SET ssl = ${certificate ? 'on' : 'off'}`);
      await query('SELECT pg_reload_conf()');
      const isLoaded = async () => (await query(`SELECT pg_conf_load_time() > '${before}' AS yes`))[0].yes;
      while (!(await isLoaded())) await sleep(20);
    },
    stop,
  };
}
