/** Key forms that the API decodes to the wrong bytes, recognized by how 16 or more random bytes look in them. */
const otherForms: readonly { form: string; shape: RegExp }[] = [
  { form: 'it looks like hex', shape: /^(?:[0-9a-f]{2}){16,}$/i },
  {
    form: 'it looks like base64 without its padding',
    shape: /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?:[A-Za-z0-9+/]{4}){5,}[A-Za-z0-9+/]{2,3}$/,
  },
  {
    form: 'it looks like base64url',
    shape:
      /^(?=.*[a-z])(?=.*[A-Z])(?=.*[-_])(?:[\w-]{22}|[\w-]{32}|[\w-]{43}|[\w-]{64}|[\w-]{86}|(?=.*\d)(?:[\w-]{4}){5,}[\w-]{2,3})={0,2}$/,
  },
  {
    form: 'it has blanks or quotes around its base64',
    shape:
      /^(?=.*[\s"'`])[\s"'`]*(?:[A-Za-z0-9+/]{4}){5,}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)[\s"'`]*$/,
  },
];

/** Describes the form of a key that the API decodes to the wrong bytes; `undefined` for any other key. */
export function otherFormOf(key: string): string | undefined {
  return otherForms.find(({ shape }) => shape.test(key))?.form;
}
