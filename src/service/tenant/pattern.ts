import { RE2JS, RE2JSException } from 're2js';

/** A tenant's pattern, compiled by an engine that takes linear time even on hostile input. */
export type Pattern = ReturnType<typeof compilePattern>;

/** A pattern that the engine rejects; the message says why. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/**
 * Matches patterns on which JavaScript's own engine takes linear time too, and 1.5 µs less for a mobile number: from the first
 * character to the last, one kind of character after another, of which at most one part can vary in length.
 */
const straight = (() => {
  const one = String.raw`(?:[\w@-]|\\d|\[[\w-]+\])`;
  const fixed = String.raw`(?:${one}(?:\{\d{1,3}\})?)*`;
  return new RegExp(String.raw`^\^${fixed}(?:${one}(?:\{\d{1,3},\d{0,3}\}|[+*?]))?${fixed}\$$`);
})();

const notLinear = 'look-around and back references are not supported, they can stall a service';
const beyondLinear = /\(\?<?[=!]|\\[1-9]/;

/**
 * Compiles a regular expression in JavaScript's notation for RE2, which takes time linear in the length of the value. Look-around
 * and back references are rejected, because no engine matches them in linear time. `\w` and `\b` are ASCII, as in JavaScript.
 * Throws `PatternError`.
 */
export function compilePattern(source: string) {
  // RE2 would read \k<name> as letters.
  if (/\\k</.test(source.replaceAll('\\\\', ''))) throw new PatternError(notLinear);
  try {
    let re2: RE2JS | undefined;
    const compile = () => (re2 ??= RE2JS.compile(RE2JS.translateRegExp(asRe2(source))));
    // Compiling for RE2 takes 20 times as long, and is seldom needed for these patterns.
    const engine = straight.test(source) && isValid(source) ? new RegExp(source) : compile();
    return {
      source,
      /** Size of the compiled RE2 program. */
      get size() {
        return compile().programSize();
      },
      /** True if the pattern is found in the value; `^` and `$` match at the ends of the value. */
      test: (value: string): boolean => engine.test(value),
      /** Serializes the pattern as its text. */
      toJSON: () => source,
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const fault = error.message.replace('error parsing regexp: ', '');
    throw new PatternError(beyondLinear.test(source) ? notLinear : fault);
  }
}

function isValid(source: string): boolean {
  try {
    return new RegExp(source) !== undefined;
  } catch {
    return false;
  }
}

const blank = '\\s\\v\\pZ\\x{feff}';
const notation = /\\[pP]\{(?:Script|sc|General_Category|gc)=\w+\}|\\[\s\S]|[[\]]/g;

/**
 * Rewrites JavaScript notation that RE2 writes differently or reads more narrowly: `\p{Script=Han}` becomes `\p{Han}`, and `\s`
 * matches the blanks of all scripts. (`\S` within brackets keeps its RE2 meaning.)
 */
function asRe2(source: string): string {
  let inBrackets = false;
  return source.replace(notation, (token) => {
    if (token === '[' || token === ']') inBrackets = token === '[';
    if (token === '\\s') return inBrackets ? blank : `[${blank}]`;
    if (token === '\\S' && !inBrackets) return `[^${blank}]`;
    return token.replace(/\{\w+=/, '{');
  });
}
