import {
  Client,
  type ClientBase,
  DatabaseError,
  Pool,
  type PoolConfig,
  type QueryResult,
  type QueryResultRow,
} from 'pg';
import type { Statement } from '../database.ts';
import { asStoreError, StoreError } from '../store-error.ts';
import type { Addresses } from './addresses.ts';
import { insist } from './retry.ts';
import { type Parameter, postgresStatement } from './statement.ts';

/** A connection from when it is taken until it is released. */
export interface Session {
  run<Row extends QueryResultRow>(
    statement: Pick<Statement, 'sql' | 'unless'>,
    values: readonly Parameter[],
  ): Promise<QueryResult<Row>>;
  /**
   * Carries out SQL without values, up to the first statement that fails. `rows` are those of all statements, `command` is the last
   * one. If there is no answer within `timeout` milliseconds, the connection is broken.
   */
  exec<Row extends QueryResultRow>(sql: string, timeout?: number): Promise<Executed<Row>>;
  release(isBroken: boolean): void;
}

/** Result of SQL without values. */
interface Executed<Row> {
  command: string;
  warning: string | undefined;
  rows: Row[];
}

/** Connections to a server that can be written to. */
export interface Connections {
  /** Takes a connection. Throws a `StoreError` with the code `NOT_CONNECTED` if there is none; nothing was done then. */
  take(): Promise<Session>;
  end(): Promise<void>;
}

/** Runs `work` in a session of its own. If `work` throws, the connection is not reused, because its state is unknown. */
export async function inSession<Result>(
  connections: Connections,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const session = await connections.take();
  let isBroken = true;
  try {
    const result = await work(session);
    isBroken = false;
    return result;
  } finally {
    session.release(isBroken);
  }
}

/** Returns a function that opens pools over the same addresses; all of them leave a server that fails or cannot be written to. */
export function openServer({
  candidates,
  session,
  timeout,
}: Addresses): (settings: PoolConfig) => Connections {
  /** Connections through a pooler, which may use another server connection for the next transaction. */
  const pooled = new WeakSet<ClientBase>();
  let current = 0;

  function connectToCurrent(config: PoolConfig): Client {
    return new Client({ ...config, ...candidates[current] });
  }

  async function examine(client: ClientBase): Promise<void> {
    const sql = `SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS standby,
      current_setting('transaction_read_only') AS read_only`;
    const { rows } = await insist(() =>
      client.query<{ pid: number; standby: boolean; read_only: string }>(sql),
    );
    const { pid, standby, read_only } = rows[0] ?? {};
    if ((client as ClientBase & { processID?: number }).processID !== pid) pooled.add(client);
    if (session !== 'any' && (standby || (session === 'read-write' && read_only === 'on')))
      throw new StoreError('the server cannot be written to', 'READ_ONLY');
  }

  return (settings) => {
    // A broken connection is noticed by the query that uses it; without a listener its `error` event would end the process.
    const pool = new Pool({
      ...settings,
      connectionTimeoutMillis: timeout,
      onConnect: examine,
      // The pool only calls it with `new`, for which a function may return the object.
      Client: connectToCurrent as unknown as typeof Client,
    })
      .on('error', () => {})
      .on('connect', (client) => client.on('error', () => {}));

    async function connect() {
      for (let tries = 1; ; tries += 1) {
        const tried = current;
        try {
          return await pool.connect();
        } catch (error) {
          const isLast = tries >= candidates.length;
          // Another call may have moved on to the next candidate already. If none worked, begin with the first one again.
          if (current === tried && isOfServer(error)) current = isLast ? 0 : (tried + 1) % candidates.length;
          if (isLast || !isOfServer(error)) throw notConnected(error);
        }
      }
    }

    return {
      async take() {
        const client = await connect();
        const isNamed = !pooled.has(client);
        return {
          run: (statement, values) => client.query(postgresStatement(statement, values, isNamed)),
          async exec<Row extends QueryResultRow>(text: string, query_timeout?: number) {
            let warning: string | undefined;
            const listen = (notice: { code?: string | undefined; message?: string | undefined }) => {
              if (notice.code?.startsWith('01')) warning = notice.message;
            };
            client.on('notice', listen);
            try {
              const query = { text, ...(query_timeout === undefined ? {} : { query_timeout }) };
              // Several statements give a list of results.
              const results = [await client.query<Row>(query)].flat();
              const command = results.at(-1)?.command ?? '';
              return { command, warning, rows: results.flatMap(({ rows }) => rows) };
            } finally {
              client.off('notice', listen);
            }
          },
          release: (isBroken) => client.release(isBroken),
        };
      },
      end: () => pool.end(),
    };
  };
}

/**
 * True if another server, or this one with or without TLS (28000), may succeed: not if the password is wrong, or if all connections
 * of the pool are in use.
 */
function isOfServer(error: unknown): boolean {
  if (error instanceof DatabaseError) return /^(?:08|53|57|28000)/.test(error.code ?? '');
  return !(error instanceof Error && error.message === exhausted);
}

/** The pool's message if no connection becomes free in time. */
const exhausted = 'timeout exceeded when trying to connect';

function notConnected(error: unknown): StoreError {
  const { message } = asStoreError(error);
  const reason = message === exhausted ? 'all connections of the pool are in use' : message;
  return new StoreError(reason, 'NOT_CONNECTED');
}
