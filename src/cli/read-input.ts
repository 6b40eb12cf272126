import { readFile } from 'node:fs/promises';
import { UsageError } from './failures.ts';
import type { Session } from './world.ts';

/** Reads a file, or standard input for `-`; throws `UsageError` when the file cannot be read. */
export async function readText(session: Session, file: string): Promise<string> {
  if (file === '-') return readStdin(session);
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new UsageError(`${file} cannot be read (${code})`);
  }
}

/** Reads a secret from a file or standard input; one line end after it is not part of it. */
export async function readSecret(session: Session, file: string, what: string): Promise<string> {
  const secret = (await readText(session, file)).replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`the ${what} is empty`);
  if (/[\r\n]/.test(secret))
    throw new UsageError(`the ${what} has several lines`, 'Give it alone, on one line.');
  return secret;
}

async function readStdin({ stdin }: Session): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('utf8');
}
