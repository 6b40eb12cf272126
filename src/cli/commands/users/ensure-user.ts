import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { attributes } from '../../../contract/attributes.ts';
import { errorCatalogue } from '../../../contract/errors.ts';
import { uniqueAttributes } from '../../../contract/normal-forms.ts';
import type { HashedUser, NewUser } from '../../../contract/wire.ts';
import { decide, describeOwners, type RowAction } from '../../../migration/actions/decide.ts';
import { changesOf } from '../../../migration/actions/differences.ts';
import { type KeyField, keyFields } from '../../../migration/actions/keys.ts';
import { reasons } from '../../../migration/actions/reasons.ts';
import { createLookUps } from '../../../migration/owners/look-up-owners.ts';
import { createRunControl } from '../../../migration/send/call-api.ts';
import type { CommandContext } from '../../context/context.ts';
import { RefusedError, UsageError } from '../../errors/errors.ts';
import { recordChange } from '../../log/record-change.ts';

/** What became of the user. */
interface Ensured {
  user_id: string;
  action: 'created' | 'updated' | 'unchanged';
  fields: readonly string[];
}

/** Without a key nobody could say whether the user is there; and a value that is no text is nothing to compare. */
export function requireKey(row: NewUser, key: KeyField | undefined): void {
  const values = Object.entries({ ...row, ...row.extension }).filter(([name]) => name !== 'extension');
  const odd = values.find(([, value]) => typeof value !== 'string');
  if (odd) throw new UsageError(`${odd[0]} in --data is not a text`, 'Write it in quotes.');
  if (hasKey(row, key)) return;
  throw new UsageError(
    `ensure cannot tell who is meant without ${key ?? 'a key'}`,
    'Give the user name, the e-mail address, the mobile number or the external id.',
  );
}

/** Is there a value by which the person is recognised? */
export function hasKey(row: NewUser, key: KeyField | undefined): boolean {
  const fields = key === undefined ? keyFields : [key];
  return fields.some((field) => row[field]);
}

/** Makes the user what the row says; `create` is asked where nobody has its keys. */
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
        // Somebody else was faster: the user is there by now.
        if (attempt > 1 || !isTaken(failure)) throw failure;
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

/** What is to be done; throws a `RefusedError` where the user cannot be made what is asked for. */
async function decideOn(
  lookUps: ReturnType<typeof createLookUps>,
  row: NewUser,
  key: KeyField | undefined,
): Promise<RowAction> {
  // An attribute that is to be empty identifies nobody.
  const given: HashedUser = { ...row };
  for (const field of keyFields) if (given[field] === '') delete given[field];
  const [owners = new Map()] = await lookUps.find([given], key);
  const action = decide(row, owners, { by: key ?? 'anyKey', update: () => true });
  const { kind, unchangeable } = action;
  if (unchangeable.length === 0 && (kind === 'create' || kind === 'same' || kind === 'update')) return action;
  const reason = unchangeable.length > 0 ? 'EXTERNAL_ID' : action.reason;
  const { text, remedy } = reasons[reason];
  const hint =
    kind === 'conflict'
      ? 'Find out which is correct. Where one field alone tells people apart, add --key.'
      : remedy;
  // The reasons speak of rows of a file.
  const why = text.replace(' of the row', '');
  throw new RefusedError('NOT_ENSURED', `nothing was changed: ${why}; ${describeOwners(action)}`, hint);
}

const takenCodes: ReadonlySet<string> = new Set(
  uniqueAttributes.map((name) => errorCatalogue[attributes[name].taken].code),
);

function isTaken(failure: unknown): boolean {
  return failure instanceof ApiError && takenCodes.has(failure.code);
}
