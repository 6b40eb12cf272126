import { isRecord } from '../../contract/is-record.ts';
import type { CommandContext } from '../context/context.ts';
import { UsageError } from '../errors/errors.ts';
import { invalidFile, nameOf, readText } from './read-input.ts';

/** Reads the JSON object of `--data`. Throws a `UsageError` that repeats nothing of the text, which may contain a password. */
export async function readJsonObject(
  context: CommandContext,
  file: string,
  hint = 'Write it as one object: {"email":"ann@example.com"}',
): Promise<Record<string, unknown>> {
  if (/^\s*\{/.test(file)) {
    throw new UsageError(
      '--data names a file, and is not the JSON itself',
      'Write the object to standard input, and give --data -',
    );
  }
  const text = await readText(context, file);
  const { scanJson } = await import('../../service/json/read-json.ts');
  const issues = scanJson(text);
  const fault = issues.find(({ path }) => path === '');
  const value: unknown = fault ? undefined : JSON.parse(text);
  // Duplicate keys are rejected, because only the last one would count.
  if (isRecord(value) && issues.length > 0) {
    throw await invalidFile(`--data ${nameOf(file)}`, 'a valid JSON object', issues, hint);
  }
  if (isRecord(value)) return value;
  throw new UsageError(
    `--data ${nameOf(file)} is not a JSON object${fault ? ` (${fault.message})` : ''}`,
    hint,
  );
}
