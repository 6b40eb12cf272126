import { type JsonIssue, pathTo } from './fault.ts';

const token =
  /[ \t\r\n]*(?:(?<mark>[{}[\],:])|(?<text>"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<plain>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b))/uy;

const deepest = 50;

class SyntaxFault extends Error {
  readonly fault: JsonIssue;

  constructor(fault: JsonIssue) {
    super(fault.message);
    this.fault = fault;
  }
}

/**
 * Goes through a JSON text for what `JSON.parse` does not tell: the line and column of a fault of syntax, and keys
 * that stand twice in one object, of which all but the last would be lost. No faults: `JSON.parse` accepts it.
 */
export function scanJson(text: string): JsonIssue[] {
  const twice: JsonIssue[] = [];
  const tokens = new RegExp(token);
  let at = 0;

  function fail(wanted: string, from: number): never {
    throw new SyntaxFault({ path: '', message: `${placeOf(text, from)}: expected ${wanted}` });
  }

  function next(): { mark?: string; text?: string } {
    tokens.lastIndex = at;
    const match = tokens.exec(text);
    if (!match) fail(isBlank(text.slice(at)) ? 'more, but the file ends' : 'JSON', at);
    at = tokens.lastIndex;
    const { mark, text: given } = match.groups ?? {};
    return { ...(mark ? { mark } : {}), ...(given ? { text: given } : {}) };
  }

  function expect(marks: string, wanted: string): string {
    const from = at;
    const { mark } = next();
    return mark && marks.includes(mark) ? mark : fail(wanted, from);
  }

  function peek(mark: string): boolean {
    const from = at;
    if (next().mark === mark) return true;
    at = from;
    return false;
  }

  function value(path: string, depth: number): void {
    const from = at;
    if (depth > deepest) fail('fewer levels', from);
    const { mark } = next();
    if (mark === '{') object(path, depth + 1);
    else if (mark === '[') list(path, depth + 1);
    else if (mark) fail('a value', from);
  }

  function object(path: string, depth: number): void {
    const keys = new Set<string>();
    if (peek('}')) return;
    do {
      const from = at;
      const { text: key } = next();
      if (!key) fail('a key in double quotes', from);
      const name = JSON.parse(key) as string;
      const inner = pathTo(path, name);
      if (keys.has(name)) twice.push({ path: inner, message: `stands twice (${placeOf(text, from)})` });
      keys.add(name);
      expect(':', '":"');
      value(inner, depth);
    } while (expect(',}', '"," or "}"') === ',');
  }

  function list(path: string, depth: number): void {
    if (peek(']')) return;
    let index = 0;
    do value(pathTo(path, index++), depth);
    while (expect(',]', '"," or "]"') === ',');
  }

  try {
    value('', 0);
    if (!isBlank(text.slice(at))) fail('the end of the file', at);
    return twice;
  } catch (error) {
    if (error instanceof SyntaxFault) return [error.fault];
    throw error;
  }
}

function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** Line and column, from 1, of what follows the blanks at an offset. */
function placeOf(text: string, offset: number): string {
  const blanks = /^\s*/.exec(text.slice(offset))?.[0].length ?? 0;
  const lines = text.slice(0, offset + blanks).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}
