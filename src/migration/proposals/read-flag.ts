const yes = /^(?:1|t|true|y|yes|ja|wahr|oui|vrai|s[ií]|sim|是)$/i;
const no = /^(?:0|f|false|n|no|nein|falsch|non|faux|n[aã]o|否)$/i;

/** What a flag says, as databases and spreadsheets write it; `undefined` for any other value. */
export function readFlag(value: string): boolean | undefined {
  if (yes.test(value)) return true;
  return no.test(value) ? false : undefined;
}
