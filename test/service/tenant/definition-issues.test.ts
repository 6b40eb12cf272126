import { expect, test } from 'vitest';
import { readDefinition } from '../../../src/service/tenant/read-definition.ts';

function issuesOf(given: unknown): string[] {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const reading = readDefinition(text);
  return 'issues' in reading ? reading.issues.map(({ path, message }) => `${path}: ${message}`) : [];
}

const age = (rule: object) => ({ extension: { age: { display_name: 'Age', ...rule } } });
const email = (rule: object) => ({ attributes: { email: rule } });

const refused: [unknown, string][] = [
  [[], ': must be an object, not []'],
  ['null', ': must be an object, not null'],
  [{ $comment: 5 }, '["$comment"]: must be a text'],
  [email({ $comment: null }), 'attributes.email["$comment"]: must be a text'],
  [{ $coment: 'x' }, '["$coment"]: unknown key'],
  [{ tenant: 'x' }, 'tenant: unknown key'],
  [{ tenantId: 'x' }, 'tenantId: unknown key (did you mean tenant_id?)'],
  [{ attribute: {} }, 'attribute: unknown key (did you mean attributes?)'],
  [{ tenant_id: '-x' }, 'tenant_id: must be 1 to 64 letters, digits'],
  [{ tenant_id: 'x'.repeat(65) }, 'tenant_id: must be 1 to 64 letters, digits'],
  [{ tenant_id: 5 }, 'tenant_id: must be 1 to 64 letters, digits, "-" and "_", beginning with a letter'],
  [{ time_zone: 'Asia/Shangai' }, 'time_zone: must be an IANA time zone such as Asia/Shanghai, not'],
  [{ time_zone: '+08:00' }, 'time_zone: must be an IANA time zone'],
  [{ attributes: null }, 'attributes: must be an object, not null'],
  [{ attributes: { name: null } }, 'attributes.name: system attributes cannot be deleted'],
  [{ attributes: { nick: {} } }, 'attributes.nick: unknown attribute'],
  [{ attributes: { user_nam: {} } }, 'attributes.user_nam: unknown attribute (did you mean user_name?)'],
  [email({ requird: true }), 'attributes.email.requird: unknown key (did you mean required?)'],
  [email({ required: 'yes' }), 'attributes.email.required: must be true or false, not "yes"'],
  [email({ display_name: ' ' }), 'attributes.email.display_name: must be a text of 1 to 100 characters'],
  [email({ pattern: '(' }), 'attributes.email.pattern: is not a valid pattern: missing closing )'],
  [email({ pattern: '(?=a)b' }), 'attributes.email.pattern: is not a valid pattern: look-around and'],
  [email({ pattern: '(a)\\1' }), 'attributes.email.pattern: is not a valid pattern: look-around and'],
  [email({ pattern: null }), 'attributes.email.pattern: must be a text of at most 1000 characters, not null'],
  [email({ pattern: 'a'.repeat(1001) }), 'attributes.email.pattern: must be a text of at most 1000'],
  [email({ min_length: -1 }), 'attributes.email.min_length: must be a whole number from 1 to 500, not -1'],
  [email({ min_length: 1.5 }), 'attributes.email.min_length: must be a whole number from 1 to 500, not 1.5'],
  [email({ max_length: 501 }), 'attributes.email.max_length: must be a whole number from 1 to 500'],
  [email({ min_length: 255 }), 'attributes.email.min_length: 255 is more than max_length, 254'],
  [email({ min_length: 9, max_length: 8 }), 'attributes.email.min_length: 9 is more than max_length, 8'],
  [
    { attributes: { head_img: { required: true } } },
    'attributes.head_img.required: cannot be required: the API has no code for it',
  ],
  [
    { attributes: { head_img: { pattern: '^https:' } } },
    'attributes.head_img.pattern: takes too long on a value of 5242880 characters; lower max_length',
  ],
  [{ extension: [] }, 'extension: must be an object, not []'],
  [{ extension: { age: {} } }, 'extension.age.display_name: is missing'],
  [age({ display_name: '' }), 'extension.age.display_name: must be a text of 1 to 100 characters, not ""'],
  [
    age({ type: 'txt' }),
    'extension.age.type: must be one of text, number, boolean, date, not "txt" (did you',
  ],
  [age({ type: 'date', unique: true }), 'extension.age.unique: only a text can be unique, this is a date'],
  [age({ unique: true, max_length: 501 }), 'extension.age.unique: a unique text can have at most 500'],
  [age({ label: 'x' }), 'extension.age.label: unknown key'],
  [age({ pattern: '[' }), 'extension.age.pattern: is not a valid pattern'],
  ['{"extension":{"__proto__":{"display_name":"x"}}}', 'extension.__proto__: this key is reserved'],
  [{ extension: { constructor: { display_name: 'x' } } }, 'extension.constructor: this key is reserved'],
  [{ extension: { prototype: { display_name: 'x' } } }, 'extension.prototype: this key is reserved'],
  [{ extension: { age: [] } }, 'extension.age: must be an object, not []'],
  [{ extension: { 'a b': { display_name: 'x' } } }, 'extension["a b"]: a key must have 1 to 64 characters'],
  [{ extension: { '': { display_name: 'x' } } }, 'extension[""]: a key must have 1 to 64 characters'],
  [{ extension: { 'a\u0007': { display_name: 'x' } } }, 'extension["a\\u0007"]: a key must have 1 to 64'],
  [{ mobile: { default_area_code: 86 } }, 'mobile.default_area_code: must be an area code of 1 to 4 digits'],
  [{ mobile: { default_area_code: '49' } }, 'mobile.default_area_code: 49 is not among area_codes'],
  [{ mobile: { area_codes: { 49: '^1' } } }, 'mobile.default_area_code: 86 is not among area_codes'],
  [
    { mobile: { area_codes: { 86: '^1', '+49': '^1' } } },
    'mobile.area_codes["+49"]: an area code has 1 to 4',
  ],
  [{ mobile: { area_codes: { 86: '^1', '049': '^1' } } }, 'mobile.area_codes.049: an area code has 1 to 4'],
  [{ mobile: { area_codes: { 86: '*' } } }, 'mobile.area_codes.86: is not a valid pattern'],
  [{ mobile: { area_codes: { 86: true } } }, 'mobile.area_codes.86: must be a text of at most 1000'],
  [{ password: { min_length: 19 } }, 'password.min_length: 19 is more than max_length, 18'],
  [{ password: { min_character_classes: 5 } }, 'password.min_character_classes: must be a whole number from'],
  [{ password: { history: -1 } }, 'password.history: must be a whole number from 0 to 24, not -1'],
  [{ token: { expires_in: 0 } }, 'token.expires_in: must be a whole number from 1 to 2678400, not 0'],
  [
    { token: { expires_in: '1800' } },
    'token.expires_in: must be a whole number from 1 to 2678400, not "1800"',
  ],
  [{ sso: { ticket_expires_in: 1e9 } }, 'sso.ticket_expires_in: must be a whole number from 1 to 86400'],
  [{ sso: { fields: 'id' } }, 'sso.fields: must be a list, not "id"'],
  [{ sso: { fields: [] } }, 'sso.fields: must not be empty'],
  [{ sso: { fields: ['id', 'id'] } }, 'sso.fields[1]: "id" is given twice'],
  [
    { sso: { fields: ['user_name'] } },
    'sso.fields[0]: must be one of id, userName, name, mobile, email, not',
  ],
  [{ login: { max_attempts: 0 } }, 'login.max_attempts: must be a whole number from 1 to 1000, not 0'],
  ['{"login":{},"login":{}}', 'login: is given twice (line 1, column 13)'],
];

test.each(refused.map(([given, issue]) => [issue, given]))(
  'a definition is refused with %s',
  (issue, given) => {
    const issues = issuesOf(given);
    expect(issues).toHaveLength(1);
    expect(issues[0]?.startsWith(String(issue)), issues[0]).toBe(true);
  },
);

test.each([
  ['', ': line 1, column 1: expected more, but the file ends'],
  ['{"tenant_id":\n  "x"', ': line 2, column 6: expected more, but the file ends'],
  ['{\n  "tenant_id": x\n}', ': line 2, column 16: expected JSON'],
  ["{'tenant_id': 1}", ': line 1, column 2: expected JSON'],
  ['{"sso": {},}', ': line 1, column 12: expected a key in double quotes'],
  ['{"sso": {} "login": {}}', ': line 1, column 12: expected "," or "}"'],
  ['{"sso" {}}', ': line 1, column 8: expected ":"'],
  ['{} {}', ': line 1, column 4: expected the end of the file'],
  ['{"a": 01}', ': line 1, column 8: expected "," or "}"'],
  ['{"a": "\n"}', ': line 1, column 7: expected JSON'],
  [`${'['.repeat(60)}${']'.repeat(60)}`, ': line 1, column 52: expected fewer levels'],
])('%j is not JSON: %s', (given, issue) => {
  expect(issuesOf(given)).toEqual([issue]);
});

test('all issues of a definition are reported together', () => {
  const given = {
    ...age({ type: 'number', unique: true }),
    tenant_id: '',
    attributes: { email: { pattern: '(', min_length: 0 }, name: null },
    colour: 'red',
  };
  expect(issuesOf(given).map((line) => line.slice(0, line.indexOf(': ')))).toEqual([
    'colour',
    'tenant_id',
    'attributes.name',
    'attributes.email.min_length',
    'attributes.email.pattern',
    'extension.age.unique',
  ]);
});
