import {
  type Explanation,
  errorExplanations,
  localErrorExplanations,
  tokenErrorExplanations,
} from './error-explanations.ts';
import { type ApiErrorName, apiErrors } from './errors.ts';

const ofApi = Object.entries({ ...errorExplanations, ...localErrorExplanations });

const byCode = new Map<string, Explanation>([
  ...ofApi.map(([name, explanation]) => [apiErrors[name as ApiErrorName].code, explanation] as const),
  ...Object.entries(tokenErrorExplanations),
]);

/** Returns the explanation of an error code of the API, or `undefined` for an unknown code. */
export function explainError(code: string): Explanation | undefined {
  return byCode.get(code);
}
