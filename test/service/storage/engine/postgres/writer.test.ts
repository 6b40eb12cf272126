import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import type { Session } from '../../../../../src/service/storage/engine/postgres/connections.ts';
import { openPostgresWriter } from '../../../../../src/service/storage/engine/postgres/writer.ts';

const types = ['bigint'] as const;

/** The offset of the number of elements in the binary form of an array. */
const elements = 12;

/** A writer to a database in which one number exists already, and the inserts that it has sent. */
function openWriter(taken: number) {
  const sent: string[] = [];
  const session: Pick<Session, 'exec' | 'release'> & { run: unknown } = {
    async run(_: unknown, [value]: [number | Buffer]) {
      const isAlone = typeof value === 'number';
      const rows = isAlone ? 1 : value.readInt32BE(elements);
      sent.push(isAlone ? 'alone' : `together: ${rows}`);
      const isTaken = isAlone ? value === taken : value.includes(taken);
      return { rowCount: isTaken ? rows - 1 : rows };
    },
    exec: async (command) => ({ command, warning: undefined, rows: [] }),
    release() {},
  };
  const { commit } = openPostgresWriter({ take: async () => session as Session, end: async () => {} });
  const sql = 'INSERT INTO things (number) VALUES (?) ON CONFLICT DO NOTHING';
  return {
    sent: () => sent.splice(0),
    commitAll: (numbers: number[]) =>
      Promise.all(numbers.map((number) => commit([{ sql, values: [number], types }]))),
  };
}

test('after a batch with an insert without effect, the next batch sends each insert separately, and the one after it does not', async () => {
  const { sent, commitAll } = openWriter(0xee);
  expect(await commitAll([31, 32])).toEqual([true, true]);
  expect(sent()).toEqual(['together: 2']);
  expect(await commitAll([33, 0xee, 34])).toEqual([true, false, true]);
  expect(sent()).toEqual(['together: 3', 'alone', 'alone', 'alone']);
  expect(await commitAll([35, 36])).toEqual([true, true]);
  expect(sent()).toEqual(['alone', 'alone']);
  expect(await commitAll([37, 38])).toEqual([true, true]);
  expect(sent()).toEqual(['together: 2']);
});

test('a single insert is sent separately', async () => {
  const { sent, commitAll } = openWriter(0xee);
  expect(await commitAll([31])).toEqual([true]);
  expect(sent()).toEqual(['alone']);
});

test('nothing is sent together with a BEGIN that may fail, since it would take effect immediately', async () => {
  const sent: string[] = [];
  let failures = 1;
  const session: Pick<Session, 'exec' | 'release'> & { run: unknown } = {
    run: async ({ sql }: { sql: string }) => {
      sent.push(sql);
      return { rowCount: 1 };
    },
    async exec<Row>(sql: string) {
      sent.push(sql.replaceAll(/SET LOCAL [^;]+; |\s+(?=WHERE)/g, ' ').replaceAll(/ +/g, ' '));
      if (sql.startsWith('BEGIN') && failures-- > 0)
        throw Object.assign(new DatabaseError('canceled', 0, 'error'), { code: '57014' });
      return { command: sql, warning: undefined, rows: [{ seq: 3, changed: 5 } as Row] };
    },
    release() {},
  };
  const { commit } = openPostgresWriter({ take: async () => session as Session, end: async () => {} });
  const update = 'UPDATE users SET version = version + 1, changed = ?';
  expect(await commit([{ sql: update, values: [], tenantLock: 7, numbers: 'change' }])).toBe(true);
  const begin =
    'BEGIN; UPDATE numbers SET seq = seq + 0, changed = changed + 1 WHERE tenant = 7 RETURNING seq, changed';
  expect(sent).toEqual([begin, 'ROLLBACK', begin, update, 'COMMIT']);
});

test.each([
  ['with a tenant lock', 'BEGIN', { tenantLock: 7 }],
  ['without one', 'UPDATE', {}],
])(
  'when the server has become read-only, a change %s is tried once more on another connection',
  async (_, at, lock) => {
    const released: boolean[] = [];
    const take = async () => {
      const isReadOnly = released.length === 0;
      const refuse = (sql: string) => {
        const fault = new DatabaseError('cannot execute UPDATE in a read-only transaction', 0, 'error');
        if (isReadOnly && sql.startsWith(at)) throw Object.assign(fault, { code: '25006' });
      };
      const session: Pick<Session, 'exec' | 'release'> & { run: unknown } = {
        async run({ sql }: { sql: string }) {
          refuse(sql);
          return { rowCount: 1 };
        },
        async exec<Row>(command: string) {
          refuse(command);
          return { command, warning: undefined, rows: [{ seq: 3, changed: 5 } as Row] };
        },
        release: (isBroken) => void released.push(isBroken),
      };
      return session as Session;
    };
    const { commit } = openPostgresWriter({ take, end: async () => {} });
    expect(await commit([{ sql: 'UPDATE users SET version = version + 1', values: [], ...lock }])).toBe(true);
    expect(released).toEqual([true, false]);
  },
);
