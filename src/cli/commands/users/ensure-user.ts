import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { attributes } from '../../../contract/attributes.ts';
import { errorCatalogue } from '../../../contract/errors.ts';
import { uniqueAttributes } from '../../../contract/normal-forms.ts';
import type { HashedUser, NewUser } from '../../../contract/wire.ts';
import {
  type DecisionOptions,
  decide,
  describeOwners,
  type RowAction,
} from '../../../migration/actions/decide.ts';
import { changesOf } from '../../../migration/actions/differences.ts';
import { hasUniqueKey, type KeyField, keyFields } from '../../../migration/actions/keys.ts';
import { type ReasonCode, reasons } from '../../../migration/actions/reasons.ts';
import { createLookUps } from '../../../migration/owners/owner-source.ts';
import { createRunControl } from '../../../migration/send/call-api.ts';
import type { CommandContext } from '../../context/context.ts';
import { RefusedError, UsageError } from '../../errors/errors.ts';
import { recordChange } from '../../log/write-log.ts';

interface Ensured {
  user_id: string;
  action: 'created' | 'updated' | 'unchanged';
  fields: readonly string[];
}

/** Throws a `UsageError` if no key is given to find the user by, or if a value is not text, which cannot be compared. */
export function requireKey(row: NewUser, key: KeyField | undefined): void {
  const values = Object.entries({ ...row, ...row.extension }).filter(([name]) => name !== 'extension');
  const odd = values.find(([, value]) => typeof value !== 'string');
  if (odd) throw new UsageError(`${odd[0]} in --data is not a text`, 'Write it in quotes.');
  if (hasKey(row, key)) return;
  throw new UsageError(
    `ensure cannot tell who is meant without ${key ?? 'an identifier'}`,
    'Give the user name, the e-mail address, the mobile number or the external ID.',
  );
}

/** True if the row has a value that identifies the person: that of `key`, or of any key. */
export function hasKey(row: NewUser, key: KeyField | undefined): boolean {
  const fields = key === undefined ? keyFields : [key];
  return fields.some((field) => row[field]);
}

/** Creates or updates a user to match the row. Calls `create` if no user has its keys. */
export async function ensureUser(
  context: CommandContext,
  client: Client,
  row: NewUser,
  key: KeyField | undefined,
  create: () => Promise<{ user_id: string }>,
): Promise<Ensured> {
  const { clock, signal } = context;
  const control = createRunControl({ concurrency: 1, signal, clock });
  const lookUps = createLookUps(client.withoutRetries(), control);
  for (let attempt = 1; ; attempt += 1) {
    const action = await decideOn(lookUps, row, key);
    if (action.kind === 'create') {
      try {
        return { ...(await create()), action: 'created', fields: [] };
      } catch (failure) {
        // Somebody else was faster: the user exists by now.
        if (attempt > 1 || !(failure instanceof ApiError && takenCodes.has(failure.code))) throw failure;
        continue;
      }
    }
    const { userId = '', fields } = action;
    if (action.kind === 'same') return { user_id: userId, action: 'unchanged', fields: [] };
    const change = { command: 'ensure', userId, outcome: 'updated' } as const;
    await recordChange(context, change, () => client.updateUser(userId, changesOf(row, fields)));
    return { user_id: userId, action: 'updated', fields };
  }
}

/** Decides what to do. Throws a `RefusedError` if the user cannot be made to match the row. */
async function decideOn(lookUps: ReturnType<typeof createLookUps>, row: NewUser, key: KeyField | undefined) {
  // An empty attribute identifies nobody.
  const given: HashedUser = { ...row };
  for (const field of keyFields) if (given[field] === '') delete given[field];
  let by: DecisionOptions['by'] = key ?? 'anyKey';
  let [owners = new Map()] = await lookUps.find([given], { key });
  const { external_id } = given;
  if (key === undefined && owners.size === 0 && external_id !== undefined && hasUniqueKey(given)) {
    // Several people can share an external ID: an owner without the other identifiers may be the same person, or another one.
    by = 'identity';
    [owners = new Map()] = await lookUps.find([{ external_id }]);
  }
  const action = decide(row, owners, { by, update: () => true });
  const { kind, unchangeable, fields } = action;
  // A user name that nobody has would otherwise rename whoever is found by the other identifiers.
  const isRenamed =
    key === undefined && kind === 'update' && given.user_name !== undefined && fields.includes('user_name');
  const canBeDone = kind === 'create' || kind === 'same' || kind === 'update';
  if (canBeDone && unchangeable.length === 0 && !isRenamed) return action;
  const reason = isRenamed ? 'OTHER_PERSON' : unchangeable.length > 0 ? 'EXTERNAL_ID' : action.reason;
  // The reasons are worded for rows of a file.
  const why = reasons[reason].text.replace(' of the row', '');
  const hint = hintFor(action, reason, given);
  throw new RefusedError(
    'NOT_ENSURED',
    `nothing was changed: ${why}; ${describeOwners(action, reason)}`,
    hint,
  );
}

/** What to do about a user who cannot be made to match the row; `--key` says who is meant. */
function hintFor({ kind, owners }: RowAction, reason: ReasonCode, given: HashedUser): string {
  const found = owners.flatMap(({ keys }) => keys).find((field) => field !== 'user_name');
  if (reason === 'OTHER_PERSON' && found === 'external_id') {
    const own = uniqueAttributes.find((field) => given[field] !== undefined);
    return `If this user is meant, use --key external_id; if another one is, use --key ${own ?? 'user_name'}.`;
  }
  if (reason === 'OTHER_PERSON' && found !== undefined) return `If this user is meant, use --key ${found}.`;
  if (reason === 'OTHER_PERSON') return 'Choose another user name, or give the one that this user has.';
  return kind === 'conflict'
    ? 'Find out which is correct. Where one field alone tells people apart, use --key.'
    : reasons[reason].remedy;
}

const takenCodes: ReadonlySet<string> = new Set(
  uniqueAttributes.map((name) => errorCatalogue[attributes[name].taken].code),
);
