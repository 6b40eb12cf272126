import { expect, test } from 'vitest';
import { looksLikeStatus } from '../../../src/migration/rows/ignored-columns.ts';

test.each([
  ...['status', 'Status', 'user_status', 'accountStatus', 'state', 'disabled', 'is_disabled', 'isDisabled'],
  ...['is_active', 'active', 'Inactive', 'enabled', 'enable', 'locked', 'is-locked', 'blocked', 'deleted_at'],
  ...['del_flag', 'delFlag', 'is_deleted', 'userAccountControl', 'LockoutEnabled'],
  ...[
    'block',
    'is_lock',
    'isFreeze',
    'banned_until',
    'loginDisabled',
    'ds-pwp-account-disabled',
    'inetUserStatus',
  ],
  ...['lifecycle.status', 'deactivated_at', 'IsApproved', 'lock_expires', 'IsLockedOut'],
  ...[
    'Gesperrt',
    'aktiv',
    'ist_aktiv',
    'gesperrt_am',
    'gelöscht',
    'Kontostatus',
    'actif',
    'désactivé',
    'statut',
  ],
  ...['activo', 'bloqueado', 'estado', 'inativo', 'situação'],
  ...['activated', 'account_non_locked', 'accountNonExpired', 'nonLocked', 'credentials_non_expired'],
  ...['accountExpires', 'account_expires'],
  ...['状态', '用户状态', '是否启用', '停用', '删除标志', '离职时间', 'account_enabled', 'is valid'],
])('the column %j looks like a status', (name) => {
  expect(looksLikeStatus(name)).toBe(true);
});

test.each([
  ...['created', 'created_at', 'dept', 'salt', 'id', 'statute', 'statement', 'estate', 'united states'],
  ...['lock_version', 'status.since', 'enabler', 'block_id'],
  ...['aktion', 'radioaktiv', 'statuten', 'actifs_nets', 'estadio'],
  ...['interactive', 'deli', 'activity', 'blockchain', '部门', '备注', 'last_login', 'validator', ''],
])('the column %j does not look like a status', (name) => {
  expect(looksLikeStatus(name)).toBe(false);
});
