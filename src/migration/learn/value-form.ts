/** One kind of character, and how many of it stand in a row. */
interface Run {
  kind: string;
  least: number;
  most: number;
}

/** The form that all values seen so far have in common: `^[A-Z]\d{4}$`. It holds no value. */
export interface ValueForm {
  add(value: string): void;
  /** A pattern that accepts every value added; `undefined` where they have no form in common, or one that says little. */
  pattern(): string | undefined;
}

/** Of characters outside of these nothing is said. */
const kinds: readonly [kind: string, is: RegExp][] = [
  ['\\d', /[0-9]/],
  ['[A-Z]', /[A-Z]/],
  ['[a-z]', /[a-z]/],
];

/** What separates the parts of a number or a code; it stands for itself. */
const separator = /[ ./:_-]/;

/** A form of more parts would be a value taken apart. */
const mostRuns = 12;
const longest = 64;

/** Finds a form as values come; one that differs in its parts ends it. */
export function createValueForm(): ValueForm {
  let form: Run[] | undefined;
  let isOver = false;
  return {
    add(value) {
      if (isOver) return;
      const runs = runsOf(value);
      if (!runs || (form && !isAlike(form, runs))) {
        isOver = true;
        return;
      }
      form = form ? form.map((run, at) => joined(run, runs[at] ?? run)) : runs;
    },
    pattern() {
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

/** Letters of any number: most words are of this form, and the next one may have a capital. */
function isWord(form: readonly Run[]): boolean {
  return form.every(({ kind, least, most }) => kind.startsWith('[') && (form.length > 1 || least !== most));
}

/** How long a part can be only a length that all have tells. */
function patternOf({ kind, least, most }: Run): string {
  if (least !== most) return `${kind}+`;
  return least === 1 ? kind : `${kind}{${least}}`;
}
