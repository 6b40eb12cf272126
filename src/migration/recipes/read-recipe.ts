import { RE2JS } from 're2js';
import * as v from 'valibot';
import { type Alias, isNode, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { isRecord } from '../../contract/is-record.ts';
import { fieldNamed, knownNames, passwordColumns } from '../rows/fields/fields.ts';
import { algorithmForms, columnsOf, type Recipe, type RecipeSelection, recipeSchema } from './recipe.ts';
import { stepTable } from './steps.ts';

/** Something wrong with a recipe, and where. */
export interface RecipeIssue {
  /** Line of the file, from 1. */
  line: number | undefined;
  /** Path in the recipe, such as `fields.mobile.phone`. */
  path: string;
  message: string;
}

type Path = readonly (string | number)[];

/** Reads a recipe, in YAML or JSON; returns all its issues if it is not valid. */
export async function readRecipe(text: string): Promise<{ recipe: Recipe } | { issues: RecipeIssue[] }> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' });
  const lineAt = (offset: number | undefined) =>
    offset === undefined ? undefined : lines.linePos(offset).line;
  if (document.errors.length > 0) {
    // The parser's messages may quote the text; its codes say enough.
    const issues = document.errors.map(({ code, pos }) => ({
      line: lineAt(pos[0]),
      path: '',
      message:
        code === 'DUPLICATE_KEY'
          ? 'the name before the colon is there a second time; put what follows under the first one'
          : `not readable as YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
    }));
    // One fault can make every following token of its line unexpected.
    return { issues: issues.filter(({ line }, at) => issues[at - 1]?.line !== line) };
  }
  const place = (path: Path, message: string): RecipeIssue => ({
    line: lineAt(offsetOf(document, path)),
    path: path.join('.'),
    message,
  });
  const unusable: RecipeIssue[] = [];
  const value = readValue(document, ({ range }, message) =>
    unusable.push({ line: lineAt(range?.[0]), path: '', message }),
  );
  if (unusable.length > 0) return { issues: unusable };
  const parsed = v.safeParse(recipeSchema, value ?? {});
  if (!parsed.success) {
    return {
      issues: v.flatten(parsed.issues).root
        ? [place([], 'expected fields: and what they are made from')]
        : schemaIssues(parsed.issues, place),
    };
  }
  const issues: RecipeIssue[] = [];
  await checkRecipe(parsed.output, (path, message) => issues.push(place(path, message)));
  return issues.length > 0 ? { issues } : { recipe: parsed.output };
}

/** Names that every object has: the schema would leave them out without a word. */
const inherited: ReadonlySet<unknown> = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns the value of a document. Calls `add` for what cannot be one: aliases without an anchor, or too many, and some names. */
function readValue(
  document: ReturnType<typeof parseDocument>,
  add: (node: Node, message: string) => void,
): unknown {
  keepWrittenText(document);
  const anchors = new Set<string>();
  const unknown: Alias[] = [];
  let last: Alias | undefined;
  visit(document, {
    Value(_, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Alias(_, node) {
      last = node;
      if (!anchors.has(node.source)) unknown.push(node);
    },
    Pair(_, { key }) {
      if (isScalar(key) && inherited.has(key.value))
        add(key, `a recipe cannot have the name ${key.value}; under values:, use replace: for it`);
    },
  });
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (failure) {
    if (!(failure instanceof ReferenceError)) throw failure;
    for (const node of unknown) add(node, 'a text that begins with * must be in quotes');
    if (last && unknown.length === 0) add(last, 'too much is repeated by names after *; write it out');
    return undefined;
  }
}

/**
 * Makes texts of numbers and booleans that are written in another way than they are shown, such as `False`, `007` and `1.0`: they
 * are compared with cells, which have what is written.
 */
function keepWrittenText(document: ReturnType<typeof parseDocument>): void {
  visit(document, {
    Scalar(_, node) {
      const isShownOtherwise = node.source !== undefined && node.source !== String(node.value);
      if (isShownOtherwise && (typeof node.value === 'boolean' || typeof node.value === 'number'))
        node.value = node.source;
    },
  });
}

/** Offset in the file of a path, or of the nearest existing one above it. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: Path): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

function schemaIssues(
  found: readonly v.BaseIssue<unknown>[],
  place: (path: Path, message: string) => RecipeIssue,
): RecipeIssue[] {
  return found.flatMap((issue) => {
    const path = (issue.path ?? []).map(({ key }) => key as string | number);
    const under = (more: Path, message: string) => place([...path, ...more], message);
    const inner = issue.type === 'union' ? issuesOfForm(issue, path.join('.')) : [];
    if (typeof inner === 'string') return under([], inner);
    if (inner.length > 0) return schemaIssues(inner, under);
    if (issue.kind === 'schema' && issue.type === 'strict_object' && issue.expected === 'never') {
      return place(path, 'there is no such key');
    }
    // The received text is not shown, since it may be a hash.
    return place(path, `expected ${issue.expected ?? 'another value'}`);
  });
}

/**
 * Why a value has none of several forms: the issues of the form that it was meant to have, or a message about the key which it
 * lacks; empty if it is of another type than all of them. Their paths begin at the value.
 */
function issuesOfForm(
  { input, issues }: v.BaseIssue<unknown>,
  path: string,
): readonly v.BaseIssue<unknown>[] | string {
  if (path === 'password.algorithm' && isRecord(input)) {
    const [form] = Object.entries(algorithmForms).filter(([key]) => Object.hasOwn(input, key));
    return form
      ? (v.safeParse(form[1], input).issues ?? [])
      : 'needs one of column, infer, value and foreign';
  }
  const type = Array.isArray(input) ? 'array' : 'object';
  return (issues ?? []).filter((issue) => issue.path?.[0]?.type === type);
}

/** Checks what the schema cannot: names of fields, patterns, forms of dates, conditions. */
async function checkRecipe(
  { fields, password, skip, disable }: Recipe,
  add: (path: Path, message: string) => void,
): Promise<void> {
  const ofPassword = new Set<string>(Object.values(passwordColumns).flat());
  for (const [name, rule] of Object.entries(fields)) {
    const path = ['fields', name];
    if (ofPassword.has(name)) add(path, 'belongs to password:');
    else if (!fieldNamed(name)) add(path, `the API has no such field; available: ${knownNames()}`);
    const { column, template, value } = rule;
    // A template can stand beside a column: it is used if that has no value.
    if ((column === undefined && template === undefined) === (value === undefined))
      add(path, 'needs one of column, template and value');
    if (template !== undefined && columnsOf({ template }).length === 0)
      add([...path, 'template'], 'names no column, such as {last}');
    await checkSteps(rule, path, add);
  }
  await checkSelection(skip, ['skip'], add);
  await checkSelection(disable, ['disable'], add);
  if (!password) return;
  if ((password.column === undefined) === (password.template === undefined))
    add(['password'], 'needs column, which holds the hashes');
  await checkSteps(password, ['password'], add);
}

const tests = ['in', 'not_in', 'match', 'filled', 'not_past', 'past', 'bit'] as const;

/** A condition without a test would hold for every record. */
async function checkSelection(
  selection: RecipeSelection | undefined,
  path: Path,
  add: (path: Path, message: string) => void,
): Promise<void> {
  if (!selection) return;
  const { where } = selection;
  for (const [index, condition] of [where].flat().entries()) {
    const at = [...path, 'where', ...(Array.isArray(where) ? [index] : [])];
    if (condition.match !== undefined) checkPattern(condition.match, [...at, 'match'], add);
    if (condition.known && !condition.in)
      add(at, 'known: needs in:, the values that are skipped or disabled');
    else if (!condition.known && !tests.some((test) => [condition[test] ?? []].flat().length > 0))
      add(at, 'needs one of in, not_in, match, filled, not_past, past and bit');
    if (condition.date && !condition.past && !condition.not_past) add(at, 'date: needs past: or not_past:');
    await checkSteps(condition, at, add);
  }
}

function checkPattern(match: string, path: Path, add: (path: Path, message: string) => void): void {
  try {
    RE2JS.compile(match);
  } catch {
    add(path, 'is not a regular expression (RE2: no look-around, no back references)');
  }
}

async function checkSteps(
  rule: Pick<Recipe['fields'][string], 'replace' | 'date' | 'phone' | 'split'>,
  path: Path,
  add: (path: Path, message: string) => void,
): Promise<void> {
  for (const [index, { match, with: put }] of (rule.replace ?? []).entries()) {
    checkPattern(match, [...path, 'replace', index, 'match'], add);
    if (/\$[`']/.test(put.replaceAll('$$', '')))
      add([...path, 'replace', index, 'with'], 'has a sign after $ that is not the number of a group');
  }
  if (rule.split?.take === 0) add([...path, 'split', 'take'], 'the first part is 1');
  for (const [name, given] of Object.entries({ date: rule.date, phone: rule.phone })) {
    if (given === undefined) continue;
    try {
      await (name === 'date' ? stepTable.date(rule.date ?? []) : stepTable.phone(rule.phone ?? {}));
    } catch (failure) {
      if (!(failure instanceof RangeError)) throw failure;
      add([...path, name], failure.message.replace(/^\w+: /, ''));
    }
  }
}
