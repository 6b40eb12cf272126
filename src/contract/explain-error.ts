import {
  type Explanation,
  errorExplanations,
  localErrorExplanations,
  tokenErrorExplanations,
} from './error-explanations.ts';
import { type ErrorName, errorCatalogue } from './errors.ts';
import { type LocalErrorName, localErrors } from './local-errors.ts';

const byCode = new Map<string, Explanation>([
  ...Object.entries(errorCatalogue).map(
    ([name, { code }]) => [code, errorExplanations[name as ErrorName]] as const,
  ),
  ...Object.entries(localErrors).map(
    ([name, { code }]) => [code, localErrorExplanations[name as LocalErrorName]] as const,
  ),
  ...Object.entries(tokenErrorExplanations),
]);

/** Explains a code of the API; `undefined` for one that it is not known to have. */
export function explainError(code: string): Explanation | undefined {
  return byCode.get(code);
}
