const yes = /^(?:1|t|true|y|yes|是)$/i;
const no = /^(?:0|f|false|n|no|否)$/i;

/** What a flag says, as databases and spreadsheets write it; `undefined` for any other value. */
export function readFlag(value: string): boolean | undefined {
  if (yes.test(value)) return true;
  return no.test(value) ? false : undefined;
}
