import { explainError } from '../../contract/explain-error.ts';
import { type FindingEntry, findingTable } from '../finding-table.ts';

/** Cause and remedy of a code of ours or of the API; of one that nobody knows, what can be said of it. */
export function explainCode(code: string): Pick<FindingEntry, 'cause' | 'remedy'> {
  const finding = Object.hasOwn(findingTable, code)
    ? findingTable[code as keyof typeof findingTable]
    : undefined;
  return (
    finding ??
    explainError(code) ?? {
      cause: 'The service answered with this code, which the specification of the API does not list.',
      remedy: 'Read the message of the service in failures.csv, and ask those who run the service.',
    }
  );
}
