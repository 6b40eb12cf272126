import { Socket } from 'node:net';
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

/**
 * A connection from when it is taken until it is released. If a statement gets no answer in time, it fails with `NO_ANSWER`, and the
 * connection is broken: the server may have vanished without a word.
 */
export interface Session {
  run<Row extends QueryResultRow>(
    statement: StatementText,
    values: readonly Parameter[],
  ): Promise<QueryResult<Row>>;
  /**
   * Carries out SQL without values, up to the first statement that fails. `rows` are those of all statements, `command` is the last
   * one. What `takesLong` may take any time.
   */
  exec<Row extends QueryResultRow>(
    sql: string,
    takesLong?: boolean,
  ): Promise<{ command: string; warning: string | undefined; rows: Row[] }>;
  release(isBroken: boolean): void;
}

type StatementText = Pick<Statement, 'sql' | 'unless'>;

/** Connections to a server that can be written to. */
export interface Connections {
  /** Takes a connection. Throws a `StoreError` with the code `NOT_CONNECTED` if there is none; nothing was done then. */
  take(): Promise<Session>;
  /** Resolves when all connections are closed; no more can be taken. */
  end(): Promise<void>;
}

/** Milliseconds after which an idle connection is examined. */
const keepAliveDelay = 10_000;

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

/** Opens pools over the same addresses; all of them leave a server that fails, falls silent, or cannot be written to. */
export function openServer({ candidates, session, timeout, answerTimeout }: Addresses) {
  const pools: Connections[] = [];
  const sockets = new Set<Socket>();
  /** Connections through a pooler, which may use another server connection for the next transaction. */
  const pooled = new WeakSet<ClientBase>();
  let current = 0;

  function connectToCurrent(config: PoolConfig): Client {
    return new Client({ ...config, ...candidates[current], stream: openSocket });
  }

  function openSocket(): Socket {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  }

  async function examine(client: ClientBase): Promise<void> {
    const sql = `SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS standby,
      current_setting('transaction_read_only') AS read_only`;
    const query = { text: sql, query_timeout: timeout };
    const { rows } = await insist(() =>
      client.query<{ pid: number; standby: boolean; read_only: string }>(query),
    );
    const { pid, standby, read_only } = rows[0] ?? {};
    if ((client as ClientBase & { processID?: number }).processID !== pid) pooled.add(client);
    if (session !== 'any' && (standby || (session === 'read-write' && read_only === 'on')))
      throw new StoreError('the server cannot be written to', 'READ_ONLY');
  }

  function open(settings: PoolConfig): Connections {
    // A broken connection is noticed by the query that uses it; without a listener its `error` event would end the process.
    const pool = new Pool({
      ...settings,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveDelay,
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

    let ended: Promise<void> | undefined;
    const connections: Connections = {
      async take() {
        const client = await connect();
        const isNamed = !pooled.has(client);
        return {
          run<Row extends QueryResultRow>(statement: StatementText, values: readonly Parameter[]) {
            const known = postgresStatement(statement, values, isNamed);
            const query = { ...known, query_timeout: answerTimeout };
            return client.query<Row>(query).catch(explain);
          },
          async exec<Row extends QueryResultRow>(text: string, takesLong = false) {
            let warning: string | undefined;
            const listen = (notice: { code?: string | undefined; message?: string | undefined }) => {
              if (notice.code?.startsWith('01')) warning = notice.message;
            };
            client.on('notice', listen);
            try {
              const query = { text, ...(takesLong ? {} : { query_timeout: answerTimeout }) };
              // Several statements give a list of results.
              const results = [await client.query<Row>(query).catch(explain)].flat();
              const command = results.at(-1)?.command ?? '';
              return { command, warning, rows: results.flatMap(({ rows }) => rows) };
            } finally {
              client.off('notice', listen);
            }
          },
          release: (isBroken) => client.release(isBroken),
        };
      },
      end() {
        ended ??= pool.end();
        return ended;
      },
    };
    pools.push(connections);
    return connections;
  }

  function explain(error: unknown): never {
    if (!(error instanceof Error && error.message === unanswered)) throw error;
    throw new StoreError(`the database did not answer within ${answerTimeout / 1000} seconds`, 'NO_ANSWER');
  }

  return {
    open,
    /** Ends all connections at once; what they carry out fails. */
    breakOff() {
      // Before the connections end, so that nobody replaces them.
      for (const pool of pools) void pool.end();
      for (const socket of sockets) socket.destroy();
    },
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

/** The driver's message if a statement is not answered in time. */
const unanswered = 'Query read timeout';

/** The pool's message if no connection becomes free in time. */
const exhausted = 'timeout exceeded when trying to connect';

const reasons: Readonly<Record<string, string>> = {
  [exhausted]: 'all connections of the pool are in use',
  [unanswered]: 'the server accepts connections, but does not answer',
};

function notConnected(error: unknown): StoreError {
  const { message } = asStoreError(error);
  return new StoreError(reasons[message] ?? message, 'NOT_CONNECTED');
}
