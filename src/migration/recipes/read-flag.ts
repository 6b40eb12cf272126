const yes = /^(?:1|t|true|y|yes|ja|wahr|oui|vrai|s[ií]|sim|是)$/i;
const no = /^(?:0|f|false|n|no|nein|falsch|non|faux|n[aã]o|否)$/i;

/** What a flag says, as databases and spreadsheets write it; `undefined` for any other value. */
export function readFlag(value: string): boolean | undefined {
  if (yes.test(value)) return true;
  return no.test(value) ? false : undefined;
}

/** What people and programs write where there is no value, in columns that hold times, reasons or names. */
const wordForNone =
  /^(?:none|never|nil|null|nan|undefined|unset|empty|n\/?a|n\.a\.|nie|kein(?:e[rs]?)?|leer|nunca|ninguno|jamais|aucune?|无|無|从不|[-–—]+|-1(?:\.0+)?|[0:./ T-]*0[0:./ T-]*Z?)$/i;

const longestWord = 32;

/** True for a value that may say that there is none, but for a plain zero. */
export function isWordForNone(value: string): boolean {
  return value !== '0' && value.length <= longestWord && wordForNone.test(value);
}
