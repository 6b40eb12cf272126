/** Words for yes and no, as databases, spreadsheets and people write them. */
const flags =
  '1/0 1.0/0.0 t/f true/false y/n yes/no j/n ja/nein wahr/falsch o/n oui/non vrai/faux s/n sí/no si/no sim/não sim/nao 是/否'
    .split(' ')
    .map((pair) => pair.split('/'));

/** What a flag says; `undefined` for any other value. */
export function readFlag(value: string): boolean | undefined {
  const word = value.toLowerCase();
  const pair = flags.find((words) => words.includes(word));
  return pair && pair[0] === word;
}

/** What people and programs write where there is no value, in columns that hold times, reasons or names. */
const wordForNone =
  /^(?:none|never|nil|null|nan|undefined|unset|empty|n\/?a|n\.a\.|nie|kein(?:e[rs]?)?|leer|nunca|ninguno|jamais|aucune?|无|無|从不|[-–—]+|-1(?:\.0+)?|[0:./ T-]*0[0:./ T-]*Z?)$/i;

const longestWord = 32;

/** True for a value that may say that there is none, also by a no, but for a plain zero. */
export function isWordForNone(value: string): boolean {
  if (value === '0' || value.length > longestWord) return false;
  return wordForNone.test(value) || readFlag(value) === false;
}
