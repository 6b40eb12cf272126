/** Key forms that the API decodes to the wrong bytes, recognized by how 16, 24, 32, 48 or 64 random bytes look in them. */
const otherForms: readonly { form: string; shape: RegExp }[] = [
  { form: 'it looks like hex', shape: /^(?:[0-9a-f]{2}){16,}$/i },
  {
    form: 'it looks like base64 without its padding',
    shape: /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?:[A-Za-z0-9+/]{22}|[A-Za-z0-9+/]{43}|[A-Za-z0-9+/]{86})$/,
  },
  {
    form: 'it looks like base64url',
    shape: /^(?=.*[a-z])(?=.*[A-Z])(?=.*[-_])(?:[\w-]{22}|[\w-]{32}|[\w-]{43}|[\w-]{64}|[\w-]{86})={0,2}$/,
  },
];

/** Describes the form of a key that the API decodes to the wrong bytes; `undefined` for any other key. */
export function otherFormOf(key: string): string | undefined {
  return otherForms.find(({ shape }) => shape.test(key))?.form;
}
