import { expect, test } from 'vitest';
import { making, ofColumns, readBy } from './making.ts';

const mail = 'p#@b.cn';

test.each([['username'], ['email'], ['phone']])(
  'the name is made of first and last names, also where people log in with %s',
  async (own) => {
    const values = { username: 'ann#', email: mail, phone: '+4930123456#' };
    const login = Object.entries(values).filter(([column]) => column === own);
    const { recipe, open } = await ofColumns({
      ...Object.fromEntries(login),
      ...{ first_name: 'Ann', last_name: 'Lee', id: '10#' },
    });
    expect(open).toEqual([]);
    expect(recipe.fields).toMatchObject({ name: { template: '{first_name} {last_name}' } });
    const order = Object.keys(recipe.fields);
    expect(order[order.indexOf('user_name') + 1]).toBe('name');
  },
);

test.each<[columns: Record<string, string>, read: Record<string, string>]>([
  [
    { nom: 'Roux', prénom: 'Léa' },
    { first_name: 'prénom', last_name: 'nom' },
  ],
  [
    { nombre: 'Ana', apellidos: 'Gil' },
    { first_name: 'nombre', last_name: 'apellidos' },
  ],
  [
    { Nome: 'Rui', sobrenome: 'Sá' },
    { first_name: 'Nome', last_name: 'sobrenome' },
  ],
  [
    { cognome: 'Neri', nome: 'Ugo' },
    { first_name: 'nome', last_name: 'cognome' },
  ],
  [
    { Name: 'Roth', Vorname: 'Ida' },
    { first_name: 'Vorname', last_name: 'Name' },
  ],
  [
    { name: 'Ann-Lee', surname: "O'Neil" },
    { first_name: 'name', last_name: 'surname' },
  ],
])('a word for a name is the half that is missing beside the other: %j', async (columns, read) => {
  const { recipe, open, notes } = await ofColumns({ ...columns, login: 'ann#' });
  const { user_name: _, name, ...halves } = recipe.fields;
  expect([open, notes, readBy({ recipe: { fields: halves } })]).toEqual([[], [], read]);
  expect(name).toEqual({ template: `{${read.first_name}} {${read.last_name}}` });
});

test.each<[columns: Record<string, string>]>([
  [{ nombre: 'Ana Gil' }],
  [{ nombre: 'Ana', apellidos: '' }],
  [{ prénom: 'Léa', 'nom de famille': 'Roux', nombre: 'Léa Roux' }],
])(
  'of a word for a name that is no missing half it is said that it may be the whole: %j',
  async (columns) => {
    const { recipe, open, notes } = await ofColumns({ ...columns, login: 'ann#' });
    expect(open).toEqual([]);
    expect(notes).toEqual([
      'name may be nombre: if one is the whole name, run recipe make again with --map name=nombre',
    ]);
    expect(Object.values(recipe.fields).map(({ column }) => column)).not.toContain('nombre');
  },
);

test.each([
  ['Imię i nazwisko', 'Nowak Anna'],
  ['Vor- und Nachname', 'Ida Roth'],
  ['Nom et prénom', 'Roux Léa'],
  ['Nombre y apellidos', 'Ana Gil'],
  ['Cognome e nome', 'Neri Ugo'],
])('%s is the whole name', async (column, name) => {
  expect(readBy(await ofColumns({ login: 'ann#', [column]: name })).name).toBe(column);
});

test('a column called name, with several words a row, is the whole beside a half', async () => {
  const made = await ofColumns({ login: 'ann#', Name: 'Ida Roth', Vorname: 'Ida' });
  expect(readBy(made)).toMatchObject({ name: 'Name', first_name: 'Vorname' });
});

test('a number, and the name of somebody else, is no half of a name', async () => {
  const { recipe, notes } = await ofColumns({ login: 'ann#', prénom: 'Léa', nombre: '1#' });
  expect([recipe.fields.last_name, notes]).toEqual([undefined, []]);
  const made = await making(JSON.stringify([{ login: 'ann', nom: 'Ann Lee', spouse: { prénom: 'Ugo' } }]));
  expect(made.recipe.fields.last_name).toBeUndefined();
});
