import type { OwnError } from './exit-codes.ts';

const unchanged = 'Nothing was sent.';

/** Codes of errors about plans, and about evidence and the cut-over. */
export const planErrors = {
  PLAN_CHANGED: {
    message: 'The plan was changed after it was made',
    cause: `One of plan.json, actions.jsonl and plan.key is missing, or a byte of it is not what it was. ${unchanged}`,
    remedy: 'Make the plan again: tenant-users plan FILE',
    exit: 'configuration',
  },
  PLAN_FILE: {
    message: 'The file of the plan was changed',
    cause: `The file was changed after the plan was made, or it is missing. ${unchanged}`,
    remedy: 'Restore the file, or make a plan of the changed one and have it approved.',
    exit: 'configuration',
  },
  PLAN_MAPPING: {
    message: 'The file would be read differently than when the plan was made',
    cause: `The HMAC key is another one or missing, or this version of the program reads columns differently. ${unchanged}`,
    remedy: 'Give the same key with --key-file, or make the plan again.',
    exit: 'configuration',
  },
  PLAN_TARGET: {
    message: 'The plan was made for another tenant',
    cause: `The base URL, the client id or the database is not that of the plan. ${unchanged}`,
    remedy: 'Select the profile of the plan or job with --profile, or make a plan for this tenant.',
    exit: 'configuration',
  },
  PLAN_SIGNATURE: {
    message: 'The plan is not signed with the key that is required',
    cause: `There is no signature, it does not belong to these bytes, or another key made it. ${unchanged}`,
    remedy: 'Have the plan approved again: tenant-users plan sign DIRECTORY KEY',
    exit: 'configuration',
  },
  PLAN_APPLIED: {
    message: 'The plan was applied already',
    cause: `A plan can be applied only once, because applying it changes the tenant. ${unchanged}`,
    remedy: 'Make a new plan, in another directory.',
    exit: 'configuration',
  },
  EVIDENCE_CHANGED: {
    message: 'The evidence was changed after it was packed',
    cause:
      'A line was changed, removed or added, or the counts are not those of the rows; the message names the line. Or the file cannot be read.',
    remedy: 'Do not rely on this file: ask for the original.',
    exit: 'configuration',
  },
  EVIDENCE_SIGNATURE: {
    message: 'The evidence is not signed with the key that was given',
    cause: 'There is no signature, it was changed, or another key made it; or a key is not an Ed25519 key.',
    remedy: 'Ask who signed it for their public key, or pack it again: tenant-users evidence JOB --sign KEY',
    exit: 'configuration',
  },
  PLAN_LIMIT: {
    message: 'The plan would do more than is allowed',
    cause:
      'There are more actions of a kind than --at-most allows; without it, disabling more than 10 % of the users is not allowed. No plan was made, and none was resumed.',
    remedy: 'Check that the file is the right one and complete. If it is, allow more with --at-most.',
    exit: 'stopped',
  },
  DRIFT: {
    message: 'Users have changed since the plan was made',
    cause:
      'Somebody changed, created or disabled users after the plan was made. Those users were not touched.',
    remedy:
      'See failures.csv in the plan directory. Go on with --accept-drift NUMBER, or make a new plan in another directory (--to).',
    exit: 'stopped',
  },
  OUT_OF_LINE: {
    message: 'Users with one hash algorithm log in far less often than all others',
    cause:
      'Since the import, far fewer users with this algorithm have logged in than expected. Their hashes may not work, or these users may be less active. At most one watch in a hundred raises a false alarm.',
    remedy:
      'Try a password that you know of one of them: tenant-users hash verify --csv FILE --by-user-name NAME.',
    exit: 'stopped',
  },
} as const satisfies Record<string, OwnError>;
