import { expect, test } from 'vitest';
import { mapOption } from '../../../src/migration/rows/fields/column-options.ts';
import { goodHashes } from '../hashes.ts';
import { ofColumns, readBy } from './making.ts';

const { bcrypt } = goodHashes;

const mail = 'p#@b.cn';

test.each(['user_id', 'uid', 'userid', 'userId', 'User ID', 'Account-ID', 'id', 'account_id'])(
  'beside an id in %s, the only column that is named as a user name is taken for it',
  async (id) => {
    const made = await ofColumns({ [id]: '10#', username: 'ann#', email: mail, password: bcrypt });
    expect(made.open).toEqual([]);
    expect(readBy(made)).toEqual({ user_name: 'username', email: 'email', external_id: id });
  },
);

test.each<[columns: Record<string, string>, read: Record<string, string>, notes: string[]]>([
  [{ id: '#', email: mail }, { email: 'email', external_id: 'id' }, ['user_name may be email or id']],
  [
    { user_id: '#', email: mail },
    { email: 'email', external_id: 'user_id' },
    ['user_name may be email or user_id'],
  ],
  [
    { 'User ID': '10#', email: mail },
    { email: 'email', external_id: 'User ID' },
    ['user_name may be email or User ID'],
  ],
  [{ account: 'ann#', email: mail }, { user_name: 'account', email: 'email' }, []],
  [
    {
      id: '#',
      ...{
        email: mail,
        email_verified_at: '2020-01-0# 10:00:00',
        created_at: '2021-02-0# 11:00:00',
        verified: 'true',
      },
      ...{ _website: 'base', locale: 'de', last_ip: '10.0.0.#', bio: 'Likes no. # most' },
    },
    { email: 'email', external_id: 'id' },
    ['user_name may be email or id'],
  ],
  [{ username: 'ann#', title: 'Dr' }, { user_name: 'username' }, ['extension.title may be title']],
])('about what is read of %j nothing must be decided', async (columns, read, notes) => {
  const made = await ofColumns({ ...columns, password: bcrypt });
  expect([made.open, readBy(made)]).toEqual([[], read]);
  expect(made.notes).toEqual(notes.map((text) => expect.stringMatching(`^${text}: .*--map `)));
});

test.each<[columns: Record<string, string>, open: string]>([
  [{ kennung: 'ann#', email: mail }, 'user_name may be kennung or email'],
  [{ uid: 'ann#', email: mail }, 'user_name may be uid'],
  [{ user_id: '#' }, 'user_name may be user_id'],
  [{ account: '10#', email: mail }, 'user_name may be account'],
  [{ username: 'ann#', account: 'bob#' }, 'user_name may be username or account'],
  [{ username: 'ann#', full_name: 'Ann #', display_name: 'Ann' }, 'name may be full_name or display_name'],
  [{ username: 'ann#', employee_id: '10#', id: '#' }, 'external_id may be employee_id or id'],
  [{ name: 'Ann' }, 'nobody would have a user name, an e-mail address or a mobile number to log in with'],
])('of %j it must be decided which column is the field', async (columns, open) => {
  const made = await ofColumns({ ...columns, password: bcrypt, algorithm: 'bcrypt' });
  expect(made.open).toEqual([expect.stringContaining(open)]);
});

const bySystems = 'if other systems know people by it (it cannot be set later), run recipe make again with';

test.each([
  ...['code_client', 'Kundennummer', 'matrícula', 'Matricule', 'numero di cliente', 'customer no.', '工号'],
  ...['Personalnr', 'member_number', '学号'],
])('a number of each person, %s, is asked about before it can no longer be set', async (column) => {
  const { open } = await ofColumns({ login: 'ann#', [column]: 'C10#' });
  expect(open).toEqual([`external_id may be ${column}: ${bySystems} ${mapOption('external_id', column)}`]);
});

test.each(['objectId', 'sub', 'user_uuid'])(
  '%s is an ID by which other systems know people',
  async (column) => {
    const made = await ofColumns({ login: 'ann#', [column]: '5f4dcc3b-aaaa-4bbb-8ccc-00000000000#' });
    expect([made.open, readBy(made).external_id]).toEqual([[], column]);
  },
);

test('numbers that a spreadsheet protects are asked about like others', async () => {
  const { open } = await ofColumns({ login: 'ann#', 'Telefon kom.': '"=""+4860010020#"""' });
  expect(open).toEqual([expect.stringContaining('mobile may be Telefon kom.')]);
});

test.each<[columns: Record<string, string>, names: string]>([
  [{ uid: '10#', guid: '5f4dcc3b-000#' }, 'uid or guid'],
  [{ id: '10#', Kundennummer: 'C10#' }, 'Kundennummer or id'],
  [{ guid: '5f4dcc3b-000#', member_no: '10#' }, 'member_no or guid'],
])('of two numbers it is asked which is that of other systems: %j', async (columns, names) => {
  const { open } = await ofColumns({ login: 'ann#', ...columns });
  expect(open).toEqual([`external_id may be ${names}: ${bySystems} --map external_id=COLUMN`]);
});

test.each<[columns: Record<string, string>]>([
  [{ points: '10#' }],
  [{ nr: '10#' }],
  [{ Kundennummer: '100' }],
  [{ Kundennummer: '' }],
  [{ client_code: 'abc' }],
  [{ external_id: 'E#', Kundennummer: 'C10#' }],
  [{ client_id: bcrypt }],
])('of other columns it is not asked whether they are numbers of people: %j', async (columns) => {
  const { open } = await ofColumns({ login: 'ann#', ...columns });
  expect(open.filter((text) => text.startsWith('external_id'))).toEqual([]);
});

const ownId = '2020102810274956#-9082-DC8CD2722';
const ofTenant = (id: string) => `${id} holds IDs that a tenant gave, and is not used: .* external_id=${id}$`;

test.each<[columns: Record<string, string>, read: Record<string, string>, notes: string[]]>([
  [{ user_id: ownId, user_name: 'ann#', external_id: '' }, { user_name: 'user_name' }, [ofTenant('user_id')]],
  [{ login: 'ann#', id: ownId }, { user_name: 'login' }, [ofTenant('id')]],
  [
    { uid: ownId, email: mail },
    { email: 'email' },
    ['user_name may be email: .* user_name=email$', ofTenant('uid')],
  ],
  [{ external_id: ownId, login: 'ann#' }, { external_id: 'external_id', user_name: 'login' }, []],
])('IDs that a tenant gave are read as nothing else: %j', async (columns, read, notes) => {
  const made = await ofColumns(columns);
  expect([made.open, readBy(made)]).toEqual([[], read]);
  expect(made.notes).toEqual(notes.map((text) => expect.stringMatching(`^${text}`)));
});

test('from IDs of a tenant alone, nobody gets a name', async () => {
  const { open, recipe } = await ofColumns({ user_id: ownId });
  expect(open).toEqual([expect.stringContaining('nobody would have a user name')]);
  expect(recipe.fields).toEqual({});
});

test('a question names a column in the quotes that a shell needs', async () => {
  const { open } = await ofColumns({ 'Log in [new]': 'ann#', name: 'Ann' });
  expect(open).toEqual([
    "user_name may be Log in [new]: run recipe make again with --map 'user_name=Log in [new]'",
  ]);
});

test.each([
  ...['usuario', 'nom_utilisateur', 'Nome utente', 'utilizador', 'gebruikersnaam', '帳號', 'ログインID'],
  'sAMAccountName',
])('%s names people in its language, beside their addresses', async (column) => {
  const made = await ofColumns({ [column]: 'ann#', correo: mail, password: bcrypt });
  expect([made.open, readBy(made)]).toEqual([[], { user_name: column, email: 'correo' }]);
});

test('a file with Spanish names is read, and clave is asked about', async () => {
  const made = await ofColumns({ usuario: 'ann#', correo: mail, clave: bcrypt });
  expect(made.open).toEqual([expect.stringContaining('hash may be clave')]);
});

test('a remark that a column is required is no part of its name', async () => {
  const names = {
    'First Name [Required]': 'Ann',
    'Last Name [Required]': 'Lee',
    'Email Address (required)': mail,
  };
  const { recipe, open } = await ofColumns({ ...names, 'Password [Required]': bcrypt });
  expect([recipe.password?.column, open]).toEqual(['Password [Required]', []]);
  expect(recipe.fields).toMatchObject({
    name: { template: '{First Name [Required]} {Last Name [Required]}' },
    email: { column: 'Email Address (required)' },
  });
});
