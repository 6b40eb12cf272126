import { type ErrorName, errorCatalogue } from '../contract/errors.ts';

const taken = (what: string) =>
  `another user of the tenant, or an earlier row of this file, has this ${what}`;
const required = 'the tenant requires it: fill the cell';
const rule = "the value breaks a rule of the tenant's attribute definition: correct it in the source";

/** What to do about the refusals an import meets. */
const hints: { [Name in ErrorName]?: string } = {
  userNameTaken: taken('user name'),
  mobileTaken: taken('mobile number'),
  emailTaken: taken('e-mail address'),
  extensionTaken: taken('extension value'),
  areaCodeNotPermitted: 'the tenant does not permit the area code: have it permitted, or correct the number',
  algorithmNotSupported: 'write md5, bcrypt, md5_sha256 or hmacsha256_base64_key',
  hashKeyEmpty: 'fill the key: no password matches without it',
  extensionInvalid: 'the tenant has no such extension attribute, or the value breaks its rule',
};

const hintsByCode = new Map<string, string>();
for (const [name, { code, message }] of Object.entries(errorCatalogue)) {
  const hint = hints[name as ErrorName] ?? generalHint(message);
  if (hint) hintsByCode.set(code, hint);
}

/** What to do when a row is refused with this code; empty when there is nothing to say. */
export function apiHint(code: string): string {
  return hintsByCode.get(code) ?? '';
}

function generalHint(message: string): string {
  if (message.endsWith('cannot be empty')) return required;
  return message.endsWith('does not meet the verification rules') ? rule : '';
}
