/** A run of characters of one kind, with the smallest and largest length. */
interface Run {
  kind: string;
  least: number;
  most: number;
}

/** A value with a character that is neither of these kinds nor a separator has no form. */
const kinds: readonly [kind: string, is: RegExp][] = [
  ['\\d', /[0-9]/],
  ['[A-Z]', /[A-Z]/],
  ['[a-z]', /[a-z]/],
];

/** Separators of the parts of a number or a code, which stand for themselves. */
const separator = /[ ./:_-]/;

/** Most runs of a form: more would reveal the value. */
const mostRuns = 12;
const longest = 64;

/**
 * Creates an empty form: what all values seen so far share, such as `^[A-Z]\d{4}$`. It holds no value. A value whose runs differ
 * from those before ends it.
 */
export function createValueForm() {
  let form: Run[] | undefined;
  let isOver = false;
  return {
    add(value: string): void {
      if (isOver) return;
      const runs = runsOf(value);
      if (!runs || (form && !isAlike(form, runs))) {
        isOver = true;
        return;
      }
      form = form ? form.map((run, at) => joined(run, runs[at] ?? run)) : runs;
    },
    /** Returns a pattern that accepts every added value; `undefined` if they share no form, or one that says little. */
    pattern(): string | undefined {
      if (isOver || !form || isWord(form)) return undefined;
      return `^${form.map(patternOf).join('')}$`;
    },
  };
}

function runsOf(value: string): Run[] | undefined {
  if (value.length > longest) return undefined;
  const runs: Run[] = [];
  for (const character of value) {
    const kind = kindOf(character);
    const last = runs.at(-1);
    if (kind === undefined) return undefined;
    if (last?.kind === kind) {
      last.least += 1;
      last.most += 1;
    } else runs.push({ kind, least: 1, most: 1 });
  }
  return runs.length === 0 || runs.length > mostRuns ? undefined : runs;
}

function kindOf(character: string): string | undefined {
  if (separator.test(character)) return /[./]/.test(character) ? `\\${character}` : character;
  return kinds.find(([, is]) => is.test(character))?.[0];
}

function isAlike(form: readonly Run[], runs: readonly Run[]): boolean {
  return form.length === runs.length && form.every(({ kind }, at) => kind === runs[at]?.kind);
}

function joined(one: Run, other: Run): Run {
  const least = Math.min(one.least, other.least);
  return { kind: one.kind, least, most: Math.max(one.most, other.most) };
}

/** True for letters only, in several runs or of varying length: most words are such, and the next one may have a capital. */
function isWord(form: readonly Run[]): boolean {
  return form.every(({ kind, least, most }) => kind.startsWith('[') && (form.length > 1 || least !== most));
}

/** The pattern has the length of a run only if all values share it. */
function patternOf({ kind, least, most }: Run): string {
  if (least !== most) return `${kind}+`;
  return least === 1 ? kind : `${kind}{${least}}`;
}
