import { onOneLine } from '../../text/printable.ts';
import type { RecipeCondition } from '../recipes/recipe.ts';

/** Something about a file that only a person can know. */
export interface RecipeQuestion {
  id: string;
  message: string;
  /** The possible answers; if left out, any text that `check` accepts. */
  choices?: readonly { value: string; name: string }[];
  /** Returns true for a valid text, else what is wrong with it. */
  check?: (answer: string) => true | string;
  /** True if the answer can be several choices, or none. */
  isMany?: true;
  /** Used if nobody answers. */
  suggested?: readonly string[];
  /** What is selected at first if a person is asked; if left out, what is suggested. */
  initial?: readonly string[];
  /** True if nobody loses anything without an answer: what is open is then only a remark. */
  isOptional?: boolean;
  /** Says what is open without an answer, and how to decide it; empty if it has a suggestion. */
  open: string;
}

/** The choice that leaves a question open. It comes first where Enter alone must decide nothing. */
export const later = { value: '', name: 'decide later' };

/** The answer that a column says nothing of who may log in. No value is a blank. */
export const nobody = { value: ' ', name: 'nobody: it says something else' };

/** Answers by the id of their question. */
export type Answers = ReadonlyMap<string, readonly string[]>;

/** Looks up the answers to questions, and collects the questions without one. */
export type Interview = ReturnType<typeof createInterview>;

const plain = /^(?!(?:true|false|yes|no|on|off|y|n|null)$)[\p{L}_](?:[\p{L}\p{N}_. /-]*[\p{L}\p{N}_])?$/iu;

/** Writes a text as in the file of a recipe, in quotes that can also be copied from its list of open questions, but for line breaks. */
export function inYaml(text: string): string {
  if (/[\r\n]/.test(text)) return JSON.stringify(text);
  return plain.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

/** Writes conditions as in a list of the file of a recipe. */
export function written(conditions: readonly RecipeCondition[]): string {
  const texts = conditions.map((condition) => {
    const entries = Object.entries(condition).map(([name, value]) => {
      const shown = Array.isArray(value) ? `[${value.map((one) => inYaml(String(one))).join(', ')}]` : value;
      return `${name}: ${name === 'column' ? inYaml(String(value)) : shown}`;
    });
    return `{ ${entries.join(', ')} }`;
  });
  return texts.join(', ');
}

/** The condition of which a person says the values. */
export const conditionFor = (column: string): RecipeCondition[] => [
  { column, in: ['VALUES'], known: ['OTHER VALUES'] },
];

/** Says which conditions a recipe may need, in a list if there are others. `who`: for whom they hold, or why. */
export function adviseConditions(
  choices: readonly (readonly [conditions: readonly RecipeCondition[], who?: string])[],
  areOthers: boolean,
): string {
  const lines = choices.map(([where, who]) => {
    const list = written(where);
    const line = areOthers ? list : `skip: { where: ${where.length > 1 ? `[${list}]` : list} }`;
    return who ? `${line} (${who})` : line;
  });
  const place = areOthers
    ? ' to skip: { where: [CONDITIONS] }, or to such a disable:'
    : ', or such a disable:';
  const line = lines.length > 0 ? `${lines.join(' or ')}${place}` : 'a condition to skip: or disable:';
  return `add ${line}, or these people are enabled`;
}

/** Creates an interview with the known answers. `mapBy`: what a person does to map a column to a field; other questions may follow. */
export function createInterview(answers: Answers, mapBy = 'run recipe make again with') {
  const unanswered: RecipeQuestion[] = [];
  const open: string[] = [];
  const notes: string[] = [];
  return {
    unanswered,
    open,
    notes,
    mapBy,
    /** Adds what is left to decide whatever the answers are: otherwise people would be left out, or imported in a wrong way. */
    leaveOpen: (text: string) => void open.push(onOneLine(text)),
    /** Adds a remark about which nothing needs to be decided. */
    note: (text: string) => void notes.push(onOneLine(text)),
    /** Returns the answer, else the suggested one, else an empty list. */
    ask(question: RecipeQuestion): readonly string[] {
      const { id, choices, suggested, isMany } = question;
      const answer = answers.get(id);
      // Of several choices, Enter alone selects none.
      const isLater = isMany
        ? answer?.length === 0 && !suggested
        : choices?.[0] === later && answer?.[0] === later.value;
      if (answer !== undefined && !isLater) return answer;
      const remark = onOneLine(question.open);
      unanswered.push({
        ...question,
        open: remark,
        message: onOneLine(question.message),
        ...(choices ? { choices: choices.map((one) => ({ ...one, name: onOneLine(one.name) })) } : {}),
      });
      if (!suggested) (question.isOptional ? notes : open).push(remark);
      return suggested ?? [];
    },
  };
}
