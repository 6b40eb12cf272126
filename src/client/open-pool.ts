import { Pool } from 'undici';
import { type Connecting, connectorOf } from './connector.ts';
import { keepDeadlines } from './deadlines.ts';
import { Reception } from './reception.ts';
import type { Transport } from './transport.ts';

/** How a pool connects. `limit` is also that of each answer. */
export interface PoolOptions extends Connecting {
  /** Scheme, host and port. */
  origin: string;
  /** Open connections at the same time. */
  connections: number;
}

/** Opens a pool of connections; none is made before the first request. */
export function openPool({ origin, connections, ...connecting }: PoolOptions): Transport {
  const deadlines = keepDeadlines(connecting.limit);
  // The limits are kept here: those of undici are late by up to a second.
  const pool = new Pool(origin, {
    connections,
    connect: connectorOf(connecting),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send({ method, path, headers, body }, done, failed) {
      const options = { method, path, headers, body: body?.() ?? null };
      pool.dispatch(options, new Reception(deadlines, done, failed));
    },
    close: () => pool.destroy(),
  };
}
