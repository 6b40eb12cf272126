import type { ShownKey } from '../../contract/administration.ts';
import { AdminError } from '../errors/admin-error.ts';
import { openKeyCipher } from '../identity/key-cipher.ts';
import { makeKeyPair } from '../identity/key-pair.ts';
import { userLifetime } from '../storage/access/grants.ts';
import {
  countKeys,
  deleteAllKeys,
  deleteKeys,
  findKeyFileMark,
  findPublishedKeys,
  insertFirstKey,
  insertNextKey,
  type PublishedKey,
} from '../storage/access/signing-keys.ts';
import type { Tenant } from '../tenant/definition.ts';
import { onTenant, onTenants } from './on-tenant.ts';

/** Returns the published signing keys of all tenants, or of one. */
export function listSigningKeys(
  location: string,
  tenantId: string | undefined,
  now: number,
): Promise<ShownKey[]> {
  return onTenants(location, tenantId, async (database, tenants) => {
    const lists = tenants.map(async (tenant) =>
      shown(tenant, await findPublishedKeys(database, tenant.key, now), now),
    );
    return (await Promise.all(lists)).flat();
  });
}

/** Options for replacing a signing key. */
export interface Rotation {
  now: number;
  /**
   * Seconds for which the new key is published before it signs, so that verifiers with cached keys get it in time. `compromised`:
   * the new key signs at once, and all other keys are deleted.
   */
  lead: number | 'compromised';
  keySecret: Uint8Array | undefined;
  /** Makes the new key pair; default: generates it. */
  makeKeyPair?: typeof makeKeyPair | undefined;
}

/** Seconds for which verifiers may accept an expired token, because they tolerate clocks that differ. */
const tolerance = 5 * 60;

/**
 * Creates a new signing key for a tenant, which replaces the present one. Returns the tenant's keys. Throws `AdminError` for a key
 * file that no service has used yet: a running one without it could not sign with the new key.
 */
export function rotateSigningKey(
  location: string,
  tenantId: string | undefined,
  { now, lead, keySecret, makeKeyPair: make = makeKeyPair }: Rotation,
): Promise<ShownKey[]> {
  return onTenant(location, tenantId, async (database, tenant) => {
    const { key, definition } = tenant;
    if (keySecret && (await findKeyFileMark(database)) === undefined) throw unknownKeyFile();
    const cipher = await openKeyCipher(database, keySecret);
    const made = await make();
    const pair = { ...made, privateKey: await cipher.seal(key, made.kid, made.privateKey) };
    for (;;) {
      const newest = (await findPublishedKeys(database, key, now)).at(-1);
      if (lead !== 'compromised' && newest && newest.signs_from > now) throw underWay(newest);
      const signsFrom = now + (lead === 'compromised' ? 0 : lead * 1000);
      const longest = Math.max(definition.token.expires_in, userLifetime) + tolerance;
      const transaction =
        lead === 'compromised' || !newest
          ? [...(newest ? [deleteKeys(key)] : []), insertFirstKey(key, pair, now)]
          : insertNextKey(key, pair, {
              now,
              signsFrom,
              former: { kid: newest.kid, until: signsFrom + longest * 1000 },
            });
      // Otherwise another process was faster.
      if (await database.commit(transaction))
        return shown(tenant, await findPublishedKeys(database, key, now), now);
    }
  });
}

/** Deletes the keys of all tenants, after which the database no longer requires its key file. Returns the number of keys. */
export function resetSigningKeys(location: string): Promise<number> {
  return onTenants(location, undefined, async (database) => {
    const count = await countKeys(database);
    await database.commit(deleteAllKeys());
    return count;
  });
}

function unknownKeyFile(): AdminError {
  return new AdminError(
    'CONFIGURATION',
    'a key file is given, and the signing keys of the database are not encrypted with one',
    'Start serve with this file first, or rotate without --key-file and TENANT_USERS_KEY_FILE.',
  );
}

function underWay({ kid, signs_from }: PublishedKey): AdminError {
  return new AdminError(
    'USAGE',
    `a rotation is under way: the signing key ${kid} signs from ${new Date(signs_from).toISOString()}`,
    'Wait until then. If a signing key has become known to somebody, use --compromised.',
  );
}

function shown({ definition }: Tenant, keys: readonly PublishedKey[], now: number): ShownKey[] {
  const signing = keys.findLast(({ signs_from }) => signs_from <= now);
  return keys.map((key) => ({
    tenant_id: definition.tenant_id,
    kid: key.kid,
    state: key.signs_from > now ? 'next' : key === signing ? 'signing' : 'retired',
    created_at: new Date(key.created_at).toISOString(),
    signs_from: new Date(key.signs_from || key.created_at).toISOString(),
    published_until: key.expires_at === null ? null : new Date(key.expires_at).toISOString(),
  }));
}
