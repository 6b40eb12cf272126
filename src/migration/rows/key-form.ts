/** How keys are written that the API reads as other bytes than meant, by the look of 16, 24, 32, 48 or 64 random bytes. */
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

/** What a key looks like from which the API reads other bytes than meant; `undefined` for any other. */
export function otherFormOf(key: string): string | undefined {
  return otherForms.find(({ shape }) => shape.test(key))?.form;
}
