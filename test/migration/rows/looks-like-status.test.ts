import { expect, test } from 'vitest';
import { builtInRecipe } from '../../../src/migration/recipes/built-in.ts';
import { columnsRead } from '../../../src/migration/recipes/recipe.ts';
import { shownName } from '../../../src/migration/rows/ignored-columns.ts';
import { looksLikeStatus, statusColumns } from '../../../src/migration/rows/looks-like-status.ts';

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
  ...['状態', '削除フラグ', '退会日', '利用停止', '有効期限', '使用状态', '黑名单', '审核状态', '有效期至'],
  ...['estatus', 'habilitado', 'vigente', 'inhabilitada', 'etat', 'état', 'habilité', 'date_fin_acces'],
  ...['date_sortie', 'acesso_liberado', 'suspenso', 'Freigeschaltet', 'Zugang bis', 'record_status'],
  ...['trashed', 'left_on'],
  ...['activo', 'bloqueado', 'estado', 'inativo', 'situação'],
  ...['activated', 'account_non_locked', 'accountNonExpired', 'nonLocked', 'credentials_non_expired'],
  ...['accountExpires', 'account_expires', 'shadowExpire', 'sambaAcctFlags', 'msDS-UserAccountDisabled'],
  ...['状态', '用户状态', '是否启用', '停用', '删除标志', '离职时间', 'account_enabled', 'is valid'],
  ...['locked.since', 'account.locked.by', 'ban.until', 'banned.0', 'disabled_at.0', 'suspension.until.date'],
  ...[
    'Item.is_active.BOOL',
    'deletedAt.$date',
    'bannedUntil.$date',
    'status.$numberInt',
    'locked.since.$date',
    'roles.disabled.0.$date',
  ],
  ...[
    'Status [READ ONLY]',
    'Block credential',
    'Soft deletion time stamp',
    'SoftDeletionTimestamp',
    'confirmed',
  ],
  ...[
    'EmailConfirmed',
    'prohibit_login',
    'can_login',
    'loginAllowed',
    'USE_YN',
    'DEL_YN',
    'ACTIVE_IND',
    'ACTIVE_YN',
  ],
  ...[
    'STATUS_CD',
    'status_id',
    'is_suspend',
    'date_deleted',
    'deletion_date',
    'deactivation_date',
    'is_closed',
  ],
  ...[
    'blacklisted',
    'resigned',
    'date_of_leaving',
    'confirmed_at',
    'lockedSince',
    'Active?',
    'active (0/1)',
    ' status',
  ],
  ...['人员状态', '在职情况', '账号锁定', '是否可用', '禁止登录', '用户是否锁定'],
  ...['LockoutEndDateUtc', 'lockout_end', 'valid_until', 'validTo', 'account_valid_to', 'membership_expires'],
  ...['account_expiration_date', 'krbPrincipalExpiration', 'Gültig bis', 'gueltig_bis', 'Ablaufdatum'],
  ...['Login gesperrt', 'Kennzeichen_gesperrt', 'Kunde aktiv', 'acct_locked', 'lifecycleState', 'is_spam'],
  ...['deceased', 'cancelled_at', 'expires', 'requiredActions.0'],
  ...['blocked_reason', 'employment_status', 'exit_date', 'isBlocked.reason'],
  ...['compte_bloque', 'date_suppression', 'compte_actif', 'archivé', 'résilié', 'compteDesactive', 'radiée'],
  ...[
    'fecha_baja',
    'fecha de baja',
    'dado_de_baja',
    'cuenta_activa',
    'cuenta_bloqueada',
    'bloqueada',
    'cancelado',
  ],
  ...[
    'conta_ativa',
    'excluido_em',
    'data_exclusao',
    'desligado',
    'attivo',
    'disattivato',
    'actief',
    'geblokkeerd',
  ],
  ...[
    'aktywny',
    'zablokowany',
    'активен',
    'заблокирован',
    '啟用',
    '停权',
    '停權',
    '狀態',
    '帳號狀態',
    '離職日期',
  ],
  ...['member_active', 'is_user_active', 'customer_disabled', 'msDS-UserAccountDisabled'],
])('the column %j looks like a status', (name) => {
  expect(looksLikeStatus(name)).toBe(true);
});

test('each Chinese status that is a warning where it is ignored is read by the recipe for such files', async () => {
  const whose = ['', '用户', '账号', '帐号', '账户', '帐户', '员工', '人员', '在职'];
  const names = [...whose.map((name) => `${name}状态`), '人员情况', '在职情况'];
  expect(names.every(looksLikeStatus)).toBe(true);
  const { recipe } = await builtInRecipe('chinese');
  expect(columnsRead(recipe)).toEqual(expect.arrayContaining(names));
});

test.each([
  ...['created', 'created_at', 'dept', 'salt', 'id', 'statute', 'statement', 'estate', 'united states'],
  ...[
    'lock_version',
    'status.since',
    'enabler',
    'block_id',
    'block_id.0',
    'exit',
    'locks.0',
    'profile.0.since',
    '_id.$oid',
    'createdAt.$date',
    '$date',
  ],
  ...[
    'estado_civil',
    'archive',
    'conta',
    'cuenta',
    'attivita',
    'activities',
    'date_naissance',
    'situación laboral',
  ],
  ...['aktion', 'radioaktiv', 'statuten', 'actifs_nets', 'estadio'],
  ...[
    'state_code',
    'country_state',
    'last_login',
    'login',
    'users',
    'use',
    'user_date',
    'email_verified',
    'block_code',
  ],
  ...[
    'no',
    'can',
    'access',
    'credentials',
    'end',
    'deletions',
    'closing',
    '情况',
    '登录状态',
    '登录时间',
    'order_status',
  ],
  ...[
    'valid_from',
    'token_expires_at',
    'password_expires',
    'card_valid_to',
    'spam_score',
    'datenschutz aktiv',
  ],
  ...['interactive', 'deli', 'activity', 'blockchain', '部门', '备注', 'last_login', 'validator', ''],
])('the column %j does not look like a status', (name) => {
  expect(looksLikeStatus(name)).toBe(false);
});

test('the state of an address is not a status', () => {
  const address = ['State', 'City', 'Postal code', 'Street address'];
  expect(statusColumns(['Block credential', ...address])).toEqual(['Block credential']);
  expect(statusColumns(['state', 'city'])).toEqual(['state']);
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
    'locked',
    '(column 7)',
    '(column 8)',
  ]);
});
