/** What becomes of an export in `fixtures/exports`. */
interface Golden {
  file: string;
  recipe: string;
  args?: string[];
  /** Users who can log in with the old password. */
  keep: string[];
  /** Users without a password. */
  lose?: string[];
  skipped: number;
  /** Rows that are rejected without `args`, by code. */
  rejected?: Record<string, number>;
  /** What a user looks like. */
  user: Record<string, unknown>;
}

const passwordless = ['--foreign-hashes', 'passwordless', '--allow-passwordless'];

/** Every export, with the options that it needs. */
export const goldens: Golden[] = [
  {
    file: 'auth0.ndjson',
    recipe: 'auth0',
    keep: ['ann@example.com', 'bob'],
    skipped: 0,
    user: { user_name: 'bob', email: 'bob@example.com', external_id: 'auth0|euclid' },
  },
  {
    file: 'auth0-joined.ndjson',
    recipe: 'auth0',
    args: ['--allow-passwordless'],
    keep: ['ann@example.com', 'bob'],
    lose: ['dan@example.com'],
    skipped: 1,
    rejected: { PASSWORD_MISSING: 1 },
    user: { user_name: 'bob', email: 'bob@example.com', name: 'Bob Öztürk', external_id: 'auth0|euclid' },
  },
  {
    file: 'firebase.json',
    recipe: 'firebase',
    args: passwordless,
    keep: [],
    lose: ['ann@example.com', 'bob@example.com'],
    skipped: 1,
    rejected: { HASH_FOREIGN: 1, PASSWORD_MISSING: 1 },
    user: {
      user_name: 'ann@example.com',
      name: 'Ann Lee',
      mobile: '+86-13800138000',
      external_id: 'aB3dE5fG7h',
    },
  },
  {
    file: 'firebase.csv',
    recipe: 'firebase-csv',
    args: passwordless,
    keep: [],
    lose: ['ann@example.com', 'bob@example.com'],
    skipped: 1,
    rejected: { HASH_FOREIGN: 1, PASSWORD_MISSING: 1 },
    user: {
      user_name: 'ann@example.com',
      name: 'Lee, Ann',
      mobile: '+86-13800138000',
      external_id: 'aB3dE5fG7h',
    },
  },
  {
    file: 'keycloak.json',
    recipe: 'keycloak',
    args: passwordless,
    keep: ['ann'],
    lose: ['bob'],
    skipped: 2,
    rejected: { ALGORITHM_UNKNOWN: 1 },
    user: { user_name: 'ann', name: 'Ann Lee', mobile: '+86-13800138000', external_id: 'u-1' },
  },
  {
    file: 'wordpress.csv',
    recipe: 'wordpress',
    args: passwordless,
    keep: ['ann', 'bob'],
    lose: ['dan', 'eve'],
    skipped: 0,
    rejected: { HASH_FOREIGN: 2 },
    user: { user_name: 'ann', name: 'Ann Lee', email: 'ann@example.com', external_id: '1' },
  },
  {
    file: 'wordpress-network.csv',
    recipe: 'wordpress',
    keep: ['ann'],
    skipped: 1,
    user: { user_name: 'ann', external_id: '1' },
  },
  {
    file: 'discourse.csv',
    recipe: 'discourse',
    args: passwordless,
    keep: [],
    lose: ['ann', 'bob'],
    skipped: 2,
    rejected: { HASH_FOREIGN: 1, PASSWORD_MISSING: 1 },
    user: { user_name: 'ann', name: 'Ann Lee', email: 'ann@example.com', external_id: '1' },
  },
  {
    file: 'django.csv',
    recipe: 'django',
    args: passwordless,
    keep: ['ann'],
    lose: ['bob', 'dan'],
    skipped: 1,
    rejected: { HASH_FOREIGN: 2 },
    user: { user_name: 'ann', name: 'Ann Lee', first_name: 'Ann', external_id: '1' },
  },
  {
    file: 'supabase.csv',
    recipe: 'supabase',
    keep: ['ann@example.com', 'bob@example.com'],
    skipped: 1,
    user: { user_name: 'ann@example.com', mobile: '+86-13800138000' },
  },
  {
    file: 'cognito.csv',
    recipe: 'cognito',
    args: ['--allow-passwordless'],
    keep: [],
    lose: ['ann', 'bob'],
    skipped: 1,
    user: { user_name: 'ann', attr_gender: 'female', attr_birthday: '1990-02-01', mobile: '+86-13800138000' },
  },
  {
    file: 'cognito.json',
    recipe: 'cognito',
    args: ['--allow-passwordless'],
    keep: [],
    lose: ['ann', 'bob'],
    skipped: 1,
    user: { user_name: 'ann', email: 'ann@example.com', attr_birthday: '1990-02-01' },
  },
  {
    file: 'okta.csv',
    recipe: 'okta',
    args: ['--allow-passwordless'],
    keep: [],
    lose: ['ann@example.com', 'bob@example.com'],
    skipped: 1,
    user: { user_name: 'ann@example.com', zip_code: '01000', external_id: '0042', mobile: '+86-13800138000' },
  },
  {
    file: 'ruoyi.tsv',
    recipe: 'ruoyi',
    keep: ['ann', 'bob'],
    skipped: 2,
    user: { user_name: 'ann', name: '李安', attr_gender: 'female', mobile: '+86-13800138000' },
  },
  {
    file: 'ldap.ldif',
    recipe: 'ldap',
    args: passwordless,
    keep: ['ann', 'bob'],
    lose: ['dan'],
    skipped: 2,
    rejected: { HASH_FOREIGN: 1 },
    user: { user_name: 'bob', name: 'Bob Müller', last_name: 'Müller', external_id: '0043' },
  },
  {
    file: 'ldap.csv',
    recipe: 'ldap',
    keep: ['ann', 'bob'],
    skipped: 0,
    user: { user_name: 'ann', name: 'Ann Lee', mobile: '+86-13800138000', external_id: '0042' },
  },
  {
    file: 'chinese.csv',
    recipe: 'chinese',
    keep: ['ann', 'bob'],
    skipped: 1,
    user: { user_name: 'bob', name: '王波', attr_gender: 'male', attr_birthday: '1988-12-31' },
  },
  {
    file: 'clerk.csv',
    recipe: 'clerk',
    args: passwordless,
    keep: ['ann'],
    lose: ['bob@example.com', 'dan'],
    skipped: 0,
    rejected: { HASH_FOREIGN: 1, PASSWORD_MISSING: 1 },
    user: { user_name: 'ann', name: 'Ann Lee', mobile: '+86-13800138000', external_id: 'user_2aB1' },
  },
  {
    file: 'devise.csv',
    recipe: 'devise',
    keep: ['ann@example.com'],
    skipped: 2,
    user: { user_name: 'ann@example.com', external_id: '1' },
  },
  {
    file: 'drupal.csv',
    recipe: 'drupal',
    args: passwordless,
    keep: ['ann'],
    lose: ['bob'],
    skipped: 2,
    rejected: { HASH_FOREIGN: 1 },
    user: { user_name: 'ann', email: 'ann@example.com', external_id: '1' },
  },
  {
    file: 'laravel.csv',
    recipe: 'laravel',
    keep: ['ann@example.com', 'bob@example.com'],
    skipped: 1,
    user: { user_name: 'ann@example.com', name: 'Ann Lee', external_id: '1' },
  },
];
