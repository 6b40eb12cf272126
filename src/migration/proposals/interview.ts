/** Something about a file that only a person can know. */
export interface RecipeQuestion {
  id: string;
  message: string;
  /** What can be answered; without it, any text that `check` takes. */
  choices?: readonly { value: string; name: string }[];
  /** Says what is wrong with a text. */
  check?: (answer: string) => true | string;
  /** Several choices, or none, are an answer. */
  isMany?: true;
  /** Taken where nobody is asked. */
  suggested?: readonly string[];
  /** What is left open without an answer, and what decides it. */
  open: string;
}

/** Answers by the ids of their questions. */
export type Answers = ReadonlyMap<string, readonly string[]>;

/** Puts questions, and collects those without an answer. */
export interface Interview {
  /** The answer, what is suggested, or nothing. */
  ask(question: RecipeQuestion): readonly string[];
  /** Says something that no answer changes. */
  note(text: string): void;
  notes: readonly string[];
  unanswered: readonly RecipeQuestion[];
}

/** Makes an interview with the answers that are known. */
export function createInterview(answers: Answers): Interview {
  const unanswered: RecipeQuestion[] = [];
  const notes: string[] = [];
  return {
    unanswered,
    notes,
    note: (text) => void notes.push(text),
    ask(question) {
      const answer = answers.get(question.id);
      if (answer !== undefined) return answer;
      unanswered.push(question);
      return question.suggested ?? [];
    },
  };
}
