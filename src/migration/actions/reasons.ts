const newPlan = 'No action is needed. To update the user, make a plan with --update.';
const leftOut = 'To disable these users anyway, undo the job with --with-active.';
const correct = 'Find out which of the two is correct, fix the row or that user, and run it again.';

/** Reasons for an action, each with the kind of action that it leads to. */
export const reasons = {
  NOBODY: {
    kind: 'create',
    text: 'no user has an identifier of the row',
    remedy: 'Nothing needs to be corrected: apply the plan.',
  },
  NO_KEY: {
    kind: 'create',
    text: 'the row has no identifier, so it is not known whether its user exists',
    remedy: 'Give the row a user name, an e-mail address, a mobile number or an external ID.',
  },
  EQUAL: { kind: 'same', text: 'the user is there, and every field of the row is equal', remedy: newPlan },
  NOT_ASKED: {
    kind: 'same',
    text: 'the user is there; fields differ, and updating them was not asked for',
    remedy: newPlan,
  },
  UNCHANGED: {
    kind: 'same',
    text: 'the row has not changed since the earlier job, which created or found its user',
    remedy: 'Nothing is to be done; to have every row looked at, leave --since out.',
  },
  DIFFERS: {
    kind: 'update',
    text: 'the user is there, and fields differ',
    remedy: 'Look at the fields with plan show, and apply the plan.',
  },
  FILE_SAYS: {
    kind: 'disable',
    text: 'the file says that the user is disabled',
    remedy: 'Make sure that it is so: the API cannot enable a user again.',
  },
  ABSENT: {
    kind: 'disable',
    text: 'the user is not in the file',
    remedy: 'Make sure that the file is complete: the API cannot enable a user again.',
  },
  VANISHED: {
    kind: 'same',
    text: 'the user is no longer in the file, and is left as they are',
    remedy:
      'See vanished.csv in the plan directory. To disable these users, make the plan with --disable-missing.',
  },
  VANISHED_OWNER: {
    kind: 'same',
    text: 'the user is no longer in the file, but has an identifier of a row about somebody else, and is left as they are',
    remedy:
      'Find out whether the row is about this user, and correct it if so. Otherwise disable the user by the ID in vanished.csv, or change their identifier, and make the plan again.',
  },
  PERHAPS_VANISHED: {
    kind: 'same',
    text: 'the user may be in the file no longer, or in a row that fails the checks or is KEY_CHANGED, and is left as they are',
    remedy: 'Correct these rows, and make the plan again: vanished.csv then lists who is in no row.',
  },
  CREATED: {
    kind: 'disable',
    text: 'the job that is undone created the user',
    remedy: 'Make sure that it is the right job: the API cannot enable a user again.',
  },
  ACTIVE: {
    kind: 'disable',
    text: 'the job that is undone created the user, who has logged in or was changed since',
    remedy: 'Make sure that nobody needs the account: the API cannot enable a user again.',
  },
  IS_DISABLED: { kind: 'same', text: 'the user is disabled already', remedy: 'Nothing is to be done.' },
  LOGGED_IN: { kind: 'conflict', text: 'the user has logged in since the job created them', remedy: leftOut },
  CHANGED: { kind: 'conflict', text: 'the user was changed since the job created them', remedy: leftOut },
  IN_NEW_IMPORT: {
    kind: 'conflict',
    text: 'the user is also in the import that replaced the job',
    remedy: 'If nobody needs the account, disable the user by the ID: tenant-users disable USER_ID.',
  },
  GONE: {
    kind: 'cannot',
    text: 'the user is no longer in the tenant',
    remedy: 'Nothing is left to be done for them.',
  },
  OTHER_PERSON: {
    kind: 'conflict',
    text: 'an identifier of the row belongs to a different person',
    remedy: `${correct} Where one field alone tells people apart, a plan decides by it: tenant-users plan FILE --key FIELD.`,
  },
  OTHER_NAMES: {
    kind: 'conflict',
    text: 'the user of the row is known by the earlier job or by the external ID, and nobody in the tenant has its other identifiers now',
    remedy:
      'If the person has other identifiers now, make the plan with --key external_id and --update, or update the user. If the row is about somebody else, correct its external ID. If people share it on purpose, make a plan with --accept DUPLICATE_EXTERNAL_ID and without --since.',
  },
  KEY_CHANGED: {
    kind: 'conflict',
    text: 'the row seems to be a user of the earlier file whose user name, e-mail address, mobile number or external ID was changed',
    remedy:
      'If it is that user: for a plan, change the user with tenant-users update, and make the plan again; in a corrected file, put back what the row had (users.csv of the job has the ID for tenant-users get), and change the user afterwards. If it is somebody else, add --accept KEY_CHANGED. If an identifier never changes, make plans with --key and its name: whoever has another one is somebody else.',
  },
  OTHER_USER: {
    kind: 'conflict',
    text: 'the user with the identifiers of the row is not the one whom the earlier job knew for it',
    remedy: `${correct} The plan names the user of the earlier job, too. If the row is about somebody else, make a plan without --since.`,
  },
  SEVERAL_USERS: {
    kind: 'conflict',
    text: 'the keys of the row belong to several users',
    remedy: `${correct} If people share an external ID on purpose, make a plan with --accept DUPLICATE_EXTERNAL_ID, and --key with another field.`,
  },
  SEVERAL_ROWS: {
    kind: 'conflict',
    text: 'another row of the file is the same user',
    remedy: 'Remove one of the two rows, and make a new plan.',
  },
  DISABLE: {
    kind: 'cannot',
    text: 'the row says that the user is disabled, and an import disables only users whom it creates',
    remedy:
      'Make a plan with the file and its options, and apply it. If another value of the row has changed too, add --key with an identifier that is still the same.',
  },
  LEFT_OUT: {
    kind: 'cannot',
    text: 'the recipe leaves the row out now, and the user whom the job created for it can still log in',
    remedy:
      'Write the user_id of the row in failures.csv into a file, a line for each user, for tenant-users disable --from FILE.',
  },
  ENABLE: {
    kind: 'cannot',
    text: 'the user is disabled, and the API cannot enable users again',
    remedy:
      'If the person may log in, ask the operator of the service to enable the user. Otherwise a new user needs another user name, e-mail address and mobile number.',
  },
  HASH_CHANGED: {
    kind: 'cannot',
    text: 'the hash in the file has changed, and the API cannot change the hash of an existing user',
    remedy: 'The user keeps the password that the tenant has. Ask these people to reset it.',
  },
  HASH_UNKNOWN: {
    kind: 'cannot',
    text: 'it is not known whether the hash of the row is the one that was sent, and the API cannot change the hash of an existing user',
    remedy:
      'If the hash was corrected since the user was created, ask these people to reset their passwords.',
  },
  MUST_MODIFY_CHANGED: {
    kind: 'cannot',
    text: 'pwd_must_modify has changed since the user was created, and the API cannot change it for an existing user',
    remedy: 'Whether the user must change the password stays as it is in the tenant.',
  },
  VALUES_CHANGED: {
    kind: 'cannot',
    text: 'values of the row have changed since the user was created, and an import changes no existing user',
    remedy:
      'Make a plan with the file, its options, --since with the directory of the job or of the latest plan of the file that was applied, --update, and --key with an identifier that is still the same; then apply it. compare shows what is left.',
  },
  UNKNOWN_USER: {
    kind: 'cannot',
    text: 'no user has an identifier of the row, and this plan creates no users',
    remedy: 'Correct the row, or leave it out if the person has no user.',
  },
  OTHER_ACTION: {
    kind: 'cannot',
    text: 'the row needs an action that this plan leaves out',
    remedy: 'Make a plan without --only for this row.',
  },
  EXTERNAL_ID: {
    kind: 'cannot',
    text: 'the API cannot change an external ID',
    remedy: 'Leave the external ID of the row as it is in the tenant.',
  },
} as const satisfies Record<string, { kind: string; text: string; remedy: string }>;

export type ReasonCode = keyof typeof reasons;

/** The reason for a change since an earlier job that the API cannot make, by what changed in the row. */
export const keptReasons = {
  hash: 'HASH_CHANGED',
  pwd_must_modify: 'MUST_MODIFY_CHANGED',
} as const satisfies Record<string, ReasonCode>;

/** What a row says only when its user is created. */
export type KeptField = keyof typeof keptReasons;

export type ActionKind = (typeof reasons)[ReasonCode]['kind'];

/** Kinds that a plan counts: the actions, rows that fail the checks, and rows that the recipe leaves out. */
export const plannedKinds = [
  'create',
  'same',
  'update',
  'disable',
  'conflict',
  'cannot',
  'invalid',
  'skipped',
] as const satisfies readonly (ActionKind | 'invalid' | 'skipped')[];

export type PlannedKind = (typeof plannedKinds)[number];

/** Actions that create or change a user. */
export const changingKinds = ['create', 'update', 'disable'] as const satisfies readonly ActionKind[];
export type ChangingKind = (typeof changingKinds)[number];

/** Why a row of a plan had no effect: its user is no longer as the plan saw them. */
export const driftReason = {
  code: 'DRIFT',
  text: 'the user was changed, created or disabled after the plan was made',
  remedy: 'The user was not touched. Make a new plan of this row.',
} as const;
