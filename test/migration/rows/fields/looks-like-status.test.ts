import { expect, test } from 'vitest';
import { looksLikeStatus } from '../../../../src/migration/rows/fields/looks-like-status.ts';
import { shownName } from '../../../../src/migration/rows/ignored-columns.ts';

test.each([
  ...['status', 'Status', 'user_status', 'accountStatus', 'disabled', 'is_disabled', 'isDisabled'],
  ...['is_active', 'active', 'Inactive', 'enabled', 'enable', 'locked', 'is-locked', 'blocked', 'deleted_at'],
  ...['del_flag', 'delFlag', 'is_deleted', 'userAccountControl', 'block', 'is_lock', 'isFreeze', 'lockout'],
  ...['banned_until', 'loginDisabled', 'ds-pwp-account-disabled', 'inetUserStatus', 'lifecycle.status'],
  ...['deactivated_at', 'IsApproved', 'lock_expires', 'IsLockedOut', 'trashed', 'activated', 'nonLocked'],
  ...[
    'account_non_locked',
    'accountNonExpired',
    'credentials_non_expired',
    'accountExpires',
    'nsAccountLock',
  ],
  ...[
    'account_expires',
    'shadowExpire',
    'sambaAcctFlags',
    'msDS-UserAccountDisabled',
    'pwdAccountLockedTime',
  ],
  ...['account_enabled', 'is valid', 'locked.since', 'ban.until', 'banned.0'],
  ...[
    'disabled_at.0',
    'suspension.until.date',
    'Item.is_active.BOOL',
    'deletedAt.$date',
    'locked.since.$date',
  ],
  ...['bannedUntil.$date', 'status.$numberInt', 'roles.disabled.0.$date', 'Status [READ ONLY]', 'confirmed'],
  ...['Block credential', 'Soft deletion time stamp', 'SoftDeletionTimestamp', 'EmailConfirmed', 'can_login'],
  ...[
    'prohibit_login',
    'loginAllowed',
    'USE_YN',
    'DEL_YN',
    'ACTIVE_IND',
    'ACTIVE_YN',
    'STATUS_CD',
    'status_id',
  ],
  ...[
    'is_suspend',
    'deletion_date',
    'deactivation_date',
    'is_closed',
    'blacklisted',
    'resigned',
    'lockedSince',
  ],
  ...['Active?', 'active (0/1)', ' status', 'LockoutEndDateUtc', 'lockout_end', 'valid_until', 'validTo'],
  ...[
    'account_valid_to',
    'membership_expires',
    'account_expiration_date',
    'krbPrincipalExpiration',
    'endtime',
  ],
  ...['acct_locked', 'lifecycleState', 'is_spam', 'deceased', 'cancelled_at', 'expires', 'requiredActions.0'],
  ...['exit_date', 'member_active', 'is_user_active', 'customer_disabled'],
])('the column %j looks like a status', (name) => {
  expect(looksLikeStatus(name)).toBe(true);
});

test.each([
  ...['created', 'created_at', 'dept', 'salt', 'id', 'statute', 'statement', 'estate', 'united states'],
  ...['lock_version', 'status.since', 'enabler', 'block_id', 'block_id.0', 'exit', 'locks.0', '_id.$oid'],
  ...[
    'profile.0.since',
    'createdAt.$date',
    '$date',
    'archive',
    'activities',
    'state',
    'state_code',
    'country_state',
  ],
  ...['isBlocked.reason', 'account.locked.by'],
  ...['last_login', 'login', 'users', 'use', 'user_date', 'email_verified', 'block_code', 'no', 'can'],
  ...['access', 'credentials', 'end', 'deletions', 'closing', 'order_status', 'valid_from', 'spam_score'],
  ...['token_expires_at', 'password_expires', 'card_valid_to', 'interactive', 'deli', 'activity'],
  ...['blockchain', 'validator', '', '部门', 'Gesperrt', 'actif', '状态'],
])('the column %j does not look like a status', (name) => {
  expect(looksLikeStatus(name)).toBe(false);
});

test('a status is shown although what follows its name may be a value', () => {
  const names = [
    'Status [READ ONLY]',
    ' status',
    'active (ann@b.cn)',
    'Account\nStatus',
    'Disabled?\r\n(Y/N)',
    'locked.ann@b.cn',
    'ann@b.cn',
    'x (1)',
  ];
  expect(names.map(shownName)).toEqual([
    'Status [READ ONLY]',
    'status',
    'active',
    'Account Status',
    'Disabled',
    '(column 6)',
    '(column 7)',
    '(column 8)',
  ]);
});
