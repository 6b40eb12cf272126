import { UsageError } from '../../failures.ts';
import { nameOf, readText } from '../../read-input.ts';
import type { Session } from '../../world.ts';

/** Reads `--data`: a JSON object of attributes by wire name, of which none may be unknown. */
export async function readData(
  session: Session,
  file: string | undefined,
  known: readonly string[],
): Promise<Record<string, unknown>> {
  if (file === undefined) return {};
  const data = await parse(await readText(session, file), file);
  const unknown = Object.keys(data).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw new UsageError(
      `--data has unknown attributes: ${unknown.join(', ')}`,
      `Known are: ${known.join(', ')}.`,
    );
  }
  const { extension = {} } = data;
  if (!isRecord(extension))
    throw new UsageError('extension in --data is no JSON object', 'Write it as {"extension":{"age":"42"}}');
  return data;
}

async function parse(given: string, file: string): Promise<Record<string, unknown>> {
  const text = given.replace(/^\uFEFF/, '');
  const { scanJson } = await import('../../../service/json/scan-json.ts');
  // Unlike the parser's message, its words repeat nothing of the text, which may hold a password.
  const fault = scanJson(text)[0];
  const value: unknown = fault?.path === '' ? undefined : JSON.parse(text);
  if (isRecord(value)) return value;
  throw new UsageError(
    `--data ${nameOf(file)} is no JSON object${fault?.path === '' ? ` (${fault.message})` : ''}`,
    'Write the attributes as one object: {"user_name":"ann","extension":{"age":"42"}}',
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
