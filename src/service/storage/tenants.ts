import {
  definitionOf,
  describeDefinition,
  type Tenant,
  type TenantDefinition,
} from '../tenant/definition.ts';
import type { Database, Statement } from './engine/database.ts';
import { StoreError } from './engine/store-error.ts';

/** A tenant as stored in the database. */
export interface StoredTenant extends Tenant {
  /** Claimed attributes as they are stored. */
  claimedText: string;
}

/** The unique extension attributes by key, with the `users.changed` up to which their values are claimed for the stored users. */
type Claimed = ReadonlyMap<string, number>;

interface TenantRow {
  tenant: number;
  definition: string;
  claimed: string;
}

/** Returns the tenants of a database, oldest first. Throws if a stored definition is no longer valid, and as `requireFinished` does. */
export async function findTenants(database: Database): Promise<StoredTenant[]> {
  const sql = 'SELECT tenant, definition, claimed FROM tenants ORDER BY tenant';
  const rows = await database.query<TenantRow>(sql, []);
  if (rows.length === 0) await requireFinished(database);
  return rows.map(({ tenant, definition, claimed }) => ({
    key: tenant,
    definition: definitionOf(definition),
    claimedText: claimed,
  }));
}

/** Returns the ids of a database's tenants, oldest first. */
export async function tenantIds(database: Database): Promise<string[]> {
  const sql = 'SELECT tenant_id FROM tenants ORDER BY tenant';
  const rows = await database.query<{ tenant_id: string }>(sql, []);
  return rows.map(({ tenant_id }) => tenant_id);
}

/**
 * Stores a definition with all its defaults, so that a later change of a default does not change a tenant's rules. Replaces an
 * earlier definition of the tenant; stored users stay as they are.
 */
export async function storeTenant(database: Database, definition: TenantDefinition): Promise<StoredTenant> {
  const { tenant_id: tenantId } = definition;
  const text = JSON.stringify(describeDefinition(definition));
  for (;;) {
    const former = await findRow(database, tenantId);
    const claimed = stillClaimed(former, definition);
    const transaction = former
      ? [update(former, text, claimed), ...forget(former, claimed)]
      : insert(await nextKey(database), tenantId, text, claimed);
    const done = former?.definition === text || (await database.commit(transaction));
    const row = done ? await findRow(database, tenantId) : undefined;
    // Otherwise another node was faster: it has used the key, or changed the definition.
    if (row?.definition === text) return { key: row.tenant, definition, claimedText: row.claimed };
  }
}

/** Returns the keys of a tenant's unique extension attributes. */
export function uniqueKeys({ extension }: TenantDefinition): string[] {
  return [...extension].filter(([, rule]) => rule.unique).map(([key]) => key);
}

async function findRow(database: Database, tenantId: string): Promise<TenantRow | undefined> {
  const sql = 'SELECT tenant, definition, claimed FROM tenants WHERE tenant_id = ?';
  const [row] = await database.query<TenantRow>(sql, [tenantId]);
  return row;
}

/** A new tenant has no users, so all of their values are claimed. */
function stillClaimed(former: TenantRow | undefined, definition: TenantDefinition): Claimed {
  const before = former && readClaimed(former.claimed);
  const entries = uniqueKeys(definition).map((key) => [key, before ? before.get(key) : 0] as const);
  return new Map(entries.filter((entry): entry is [string, number] => entry[1] !== undefined));
}

/** Reads claimed attributes as they are stored. */
export function readClaimed(text: string): Claimed {
  return new Map(Object.entries<number>(JSON.parse(text)));
}

/** Returns claimed attributes as they are stored. */
export function textOfClaimed(claimed: Claimed): string {
  return JSON.stringify(Object.fromEntries(claimed));
}

async function nextKey(database: Database): Promise<number> {
  const [row] = await database.query<{ last: number | null }>('SELECT max(tenant) AS last FROM tenants', []);
  if (!row?.last) await requireFinished(database);
  return (row?.last ?? 0) + 1;
}

/**
 * Throws a `StoreError` if there is data and no tenant yet: it is that of a copy, which stores the tenants at the end. It is one query,
 * because another node may store the first tenant meanwhile.
 */
async function requireFinished(database: Database): Promise<void> {
  const sql = 'SELECT 1 FROM numbers WHERE NOT EXISTS (SELECT 1 FROM tenants) LIMIT 1';
  const [copied] = await database.query(sql, []);
  if (!copied) return;
  throw new StoreError('a copy into it was not finished', undefined, 'Drop this database, and copy again.');
}

/** Has no effect if another node was faster and used the key. */
function insert(tenant: number, tenantId: string, text: string, claimed: Claimed): Statement[] {
  const sql = `INSERT INTO tenants (tenant, tenant_id, definition, claimed) VALUES (?, ?, ?, ?)
    ON CONFLICT DO NOTHING`;
  const numbers = 'INSERT INTO numbers (tenant, seq, changed) VALUES (?, 0, 0)';
  return [
    { sql, values: [tenant, tenantId, text, textOfClaimed(claimed)] },
    { sql: numbers, values: [tenant] },
  ];
}

function update({ tenant, definition }: TenantRow, text: string, claimed: Claimed): Statement {
  const sql = 'UPDATE tenants SET definition = ?, claimed = ? WHERE tenant = ? AND definition = ?';
  return { sql, values: [text, textOfClaimed(claimed), tenant, definition] };
}

/** Deletes the claims of attributes that are no longer unique: they would be stale if the attributes became unique again. */
function forget({ tenant }: TenantRow, claimed: Claimed): Statement[] {
  const keys = [...claimed.keys()];
  const others = keys.map(() => ' AND attribute <> ?').join('');
  const sql = `DELETE FROM unique_extensions WHERE tenant = ?${others}`;
  return [{ sql, values: [tenant, ...keys], optional: true }];
}
