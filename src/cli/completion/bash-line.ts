/**
 * Splits a bash command line up to the cursor into unquoted words, as bash does; nothing is expanded. `wordBreaks` is the value of
 * `COMP_WORDBREAKS`. `kept`: number of characters of `current`, the word at the cursor, that bash keeps: it replaces only what follows
 * the last word break or open quote. `quote`: the one that is open at the cursor; empty if none is.
 */
export function readBashLine(line: string, wordBreaks: string) {
  const before: string[] = [];
  const breaks = new Set([...wordBreaks].filter((character) => !/[\s"'\\]/.test(character)));
  let current: string | undefined;
  let breakAt = 0;
  let quoteAt = 0;
  let quote: '"' | "'" | '' = '';
  let escaped = false;
  for (const character of line) {
    if (escaped) {
      // Between double quotes, a backslash before most characters stands for itself.
      current = `${current ?? ''}${quote && !/["\\$`]/.test(character) ? '\\' : ''}${character}`;
      escaped = false;
    } else if (character === '\\' && quote !== "'") escaped = true;
    else if (character === quote) quote = '';
    else if (quote) current += character;
    else if (character === '"' || character === "'") {
      current ??= '';
      quote = character;
      quoteAt = current.length;
    } else if (/\s/.test(character)) {
      if (current !== undefined) before.push(current);
      current = undefined;
      breakAt = 0;
    } else {
      current = (current ?? '') + character;
      if (breaks.has(character)) breakAt = current.length;
    }
  }
  return { before, current: current ?? '', kept: quote ? quoteAt : breakAt, quote };
}

/**
 * The text that bash inserts to complete a word, quoted so that it stays one word and nothing in it is executed;
 * `undefined` if that is impossible after the open quote.
 */
export function bashText(
  value: string,
  { kept, quote }: Pick<ReturnType<typeof readBashLine>, 'kept' | 'quote'>,
): string | undefined {
  const rest = value.slice(kept);
  if (quote === '"') return /["$`\\!]/.test(rest) ? undefined : rest;
  if (quote === "'") return rest.includes("'") ? undefined : rest;
  return rest.replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, '\\$&');
}
