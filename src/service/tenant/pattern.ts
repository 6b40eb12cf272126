import { RE2JS, RE2JSException } from 're2js';
import type { Pattern } from './definition.ts';

/** A pattern of a tenant, and how large a program it became. */
export interface CompiledPattern extends Pattern {
  readonly size: number;
}

/** A pattern that the engine refuses; the message says why. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

const beyondLinear = /\(\?<?[=!]|\\[1-9]|\\k</;

/**
 * Compiles a regular expression in JavaScript's notation for RE2, which takes time linear in the value: look-around
 * and back references, which cannot be had in linear time, are refused. `\s` and `\w` mean ASCII.
 * Throws `PatternError`.
 */
export function compilePattern(source: string): CompiledPattern {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(shortClasses(source)));
    return { source, size: compiled.programSize(), test: (value) => compiled.test(value) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const fault = error.message.replace('error parsing regexp: ', '');
    const reason = beyondLinear.test(source)
      ? 'look-around and back references are not supported, they can stall a service'
      : fault;
    throw new PatternError(reason);
  }
}

const longClass = /\\\\|\\([pP])\{(?:Script|sc|General_Category|gc)=(\w+)\}/g;

/** `\p{Script=Han}` of JavaScript is `\p{Han}` of RE2. */
function shortClasses(source: string): string {
  return source.replace(longClass, (all, letter?: string, name?: string) =>
    name === undefined ? all : `\\${letter}{${name}}`,
  );
}
