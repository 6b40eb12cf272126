/** The progress of something that takes long: `1,234 of 5,678 users read, 3 match`. */
export interface ProgressStep {
  what: string;
  done?: number;
  total?: number;
  /** Number of those done that match the filter. */
  matches?: number | undefined;
}

export type OnStep = (step: ProgressStep) => void;
