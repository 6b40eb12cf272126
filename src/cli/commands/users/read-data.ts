import { UsageError } from '../../failures.ts';
import { readText } from '../../read-input.ts';
import type { Session } from '../../world.ts';

/** Reads `--data`: a JSON object of attributes by wire name, of which none may be unknown. */
export async function readData(
  session: Session,
  file: string | undefined,
  known: readonly string[],
): Promise<Record<string, unknown>> {
  if (file === undefined) return {};
  const data = parse(await readText(session, file), file);
  const unknown = Object.keys(data).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new UsageError(
      `--data has unknown attributes: ${unknown.join(', ')}`,
      `Known are: ${known.join(', ')}.`,
    );
  }
  const { extension = {} } = data;
  if (!isRecord(extension)) throw new UsageError('extension in --data is no JSON object');
  return data;
}

function parse(text: string, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The parser's message would repeat part of the text, which may hold a password.
  }
  throw new UsageError(`--data ${file} is no JSON object`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
