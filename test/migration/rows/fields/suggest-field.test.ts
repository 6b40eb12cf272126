import { expect, test } from 'vitest';
import { suggestField } from '../../../../src/migration/rows/fields/suggest-field.ts';

test.each<[string, string[]]>([
  ['attr_birthday', ['Geburtstag', 'Fecha de nacimiento', 'date_naissance', 'Data di nascita', '生年月日']],
  ['last_name', ['Familienname', 'Apellidos', 'Nom de famille', 'COGNOME', 'achternaam', 'Nazwisko']],
  ['first_name', ['Vorname', 'Prénom', 'voornaam']],
  ['mobile', ['Handy', 'Teléfono', 'Téléphone', 'Cellulare', 'Telemóvel', 'telemovel', 'Telefoonnummer']],
  ['zip_code', ['Postleitzahl', 'Código postal', 'code_postal', '郵便番号']],
  ['mailing_address', ['Anschrift', 'Dirección', 'Indirizzo', '住所']],
])('the field %s is suggested for %j', (field, names) => {
  expect(names.map((name) => suggestField(name))).toEqual(names.map(() => field));
});

test('nothing is suggested for a name that has two meanings', () => {
  // A first name or the whole, the last name or the whole.
  for (const name of ['nombre', 'nom', 'nome']) expect(suggestField(name), name).toBeUndefined();
});
