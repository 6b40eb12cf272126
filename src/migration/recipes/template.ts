/** Reads one value from the cells of a record; `''` if there is none. */
type Read = (cells: readonly string[]) => string;

/** A text, a column, or brackets with at least one column in them. */
type Part = string | { column: string } | Group;

interface Group {
  open: string;
  close: string;
  parts: Part[];
}

/** Brackets and quotes that belong to what they enclose; braces enclose columns. */
const closers: Readonly<Record<string, string>> = {
  ...{ '(': ')', '[': ']', '<': '>', '"': '"', '“': '”', '«': '»' },
  ...{ '（': '）', '【': '】', '「': '」', '《': '》' },
};

/**
 * Compiles a template. Text between two columns is written only between two values: `{last} {first}` never ends in a blank.
 * Brackets are written only if a column in them has a value: of `{first} ({nick})`, `(…)` is left out with the nickname.
 * `readerOf` gives the reader of a column.
 */
export function compileTemplate(template: string, readerOf: (column: string) => Read): Read {
  return joined(parse(template), readerOf);
}

function joined(parts: readonly Part[], readerOf: (column: string) => Read): Read {
  let start = '';
  const pieces: { read: Read; after: string }[] = [];
  for (const part of parts) {
    const last = pieces.at(-1);
    if (typeof part !== 'string') pieces.push({ read: readPart(part, readerOf), after: '' });
    else if (last) last.after += part;
    else start += part;
  }
  const end = pieces.at(-1)?.after ?? '';
  return (cells) => {
    let text = '';
    let between = start;
    for (const { read, after } of pieces) {
      const value = read(cells);
      if (value === '') continue;
      text += between + value;
      between = after;
    }
    return text === '' ? '' : text + end;
  };
}

function readPart(part: Exclude<Part, string>, readerOf: (column: string) => Read): Read {
  if ('column' in part) return readerOf(part.column);
  const { open, close, parts } = part;
  const inner = joined(parts, readerOf);
  return (cells) => {
    const text = inner(cells);
    return text === '' ? '' : open + text + close;
  };
}

function parse(template: string): Part[] {
  const stack: Group[] = [{ open: '', close: '', parts: [] }];
  /** Takes the innermost group off the stack, and adds these parts to the one around it. */
  const end = (partsOf: (group: Group) => Part[]): void => {
    const group = stack.pop();
    if (group) stack.at(-1)?.parts.push(...partsOf(group));
  };
  for (const [token, column] of template.matchAll(/\{([^{}]+)\}|./gsu)) {
    const top = stack.at(-1);
    const close = closers[token];
    if (column !== undefined) top?.parts.push({ column });
    else if (stack.length > 1 && token === top?.close)
      end((group) => {
        const { open: start, parts, close: last } = group;
        return parts.some((part) => typeof part !== 'string') ? [group] : [start, ...parts, last];
      });
    else if (close !== undefined) stack.push({ open: token, close, parts: [] });
    else top?.parts.push(token);
  }
  // What was never closed is text.
  while (stack.length > 1) end(({ open, parts }) => [open, ...parts]);
  return stack[0]?.parts ?? [];
}
