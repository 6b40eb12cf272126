/**
 * Words of this project's past, each with the word of docs/glossary.md that replaced it. No file of `src` and no page may
 * use them again, whole or as a part of a name (`settleRow`).
 */
const replaced: Readonly<Record<string, string>> = {
  'anew|begin again from the beginning': 'again, start over',
  'at work on': 'in use by',
  'borne|dearer': 'accepted, more expensive',
  books: 'job records',
  'brakes?': 'circuit breaker',
  'deeds?|misbehav\\w*|struck': 'action, fault injection, triggered',
  'doubt(s|ful)?': 'warning, unknown outcome',
  'exclude each other': 'cannot be used together',
  findings: 'issues',
  'give one such as|known are': 'example:, available:',
  'holders?': 'existing user',
  'in the place of': 'instead of',
  'is no address': 'is not a valid URL',
  manners: 'HTTP server',
  'may not be read by': 'permission denied',
  'mend(ed|s|ing)?': 'fix, correct',
  patience: 'timeout',
  'proofs?': 'verification',
  'put aside': 'archive',
  'refusals?': 'API error',
  'settl(e|es|ing)': 'import a row, resolve, wait',
  'spelled|told': 'formatted, printed, reported, redacted',
  'take up again': 'retry',
};

/** Finds a word of the project's past. */
export const formerWord = new RegExp(`\\b(?:${Object.keys(replaced).join('|')})\\b`, 'i');
