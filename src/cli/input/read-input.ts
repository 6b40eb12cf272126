import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { isRecord } from '../../contract/is-record.ts';
import type { JsonIssue } from '../../service/json/issue.ts';
import { formatCount } from '../../text/format-count.ts';
import { realPath } from '../../text/locations/real-path.ts';
import { loosePermissions } from '../config/permissions.ts';
import type { CommandContext } from '../context/context.ts';
import { ConfigurationError, reasonOf, systemFaultOf, UsageError } from '../errors/errors.ts';
import { askSecret } from './prompts.ts';

/**
 * Reads UTF-8 text from a file, or from standard input for `-`, without a byte order mark. Throws a `UsageError` if the
 * file cannot be read, and for any other encoding, which would silently change a name or a password.
 */
export async function readText(
  context: CommandContext,
  file: string,
  hint = 'Save it as UTF-8, or convert it, for example with: iconv -f GB18030 -t UTF-8',
): Promise<string> {
  const bytes = file === '-' ? await readStdin(context) : await readBytes(file);
  if (!isUtf8(bytes) || bytes.includes(0)) {
    throw new UsageError(`${nameOf(file)} is not text in UTF-8`, hint);
  }
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

async function readBytes(file: string): Promise<Buffer> {
  // Few commands read a file, and loading this module of Node takes longer than reading one.
  const { readFile } = await import('node:fs/promises');
  try {
    return await readFile(file);
  } catch (cause) {
    const hint = systemFaultOf(cause)?.remedy ?? 'Check the path, or use another file.';
    throw new UsageError(`${file} cannot be read: ${reasonOf(cause)}`, hint);
  }
}

/** Reads a text file at once. Throws a `ConfigurationError` with this hint if it cannot be read. */
export function readFileNow(file: string, hint: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ConfigurationError(`${file} cannot be read: ${reasonOf(cause)}`, hint);
  }
}

/** A key may be bytes that are not text; converted to UTF-8 they would be another key. */
const rawKeyHint =
  'If these are the bytes of the key, write them in base64: base64 -w0 FILE. If it is a text, save it as UTF-8.';

/**
 * Reads a one-line secret from a file or standard input, without the line end; a person at a terminal is asked for it, since the
 * terminal would show what is typed. `instead`: what to use if that is impossible. Throws a `UsageError` if the secret is empty or
 * longer.
 */
export async function readSecret(
  context: CommandContext,
  file: string,
  what: string,
  instead = 'a pipe or a file',
): Promise<string> {
  if (file === '-' && context.stdin.isTTY) {
    refuseSecondReading(context);
    return askSecret(context, what.charAt(0).toUpperCase() + what.slice(1), instead);
  }
  const secret = (await readText(context, file, what.endsWith('key') ? rawKeyHint : undefined)).replace(
    /\r?\n$/,
    '',
  );
  const hint = `Provide it as a single line ${file === '-' ? 'on standard input' : `in ${file}`}.`;
  if (secret === '') throw new UsageError(`the ${what} is empty`, hint);
  if (/[\r\n]/.test(secret)) throw new UsageError(`the ${what} has more than one line`, hint);
  return secret;
}

/**
 * The secret that an option for standard input or one for a file provides; `undefined` if neither is given. Throws a
 * `UsageError` if it cannot be read, is not a single line, or is the one that encrypts the signing keys: as an HMAC key it would be
 * stored with every user.
 */
export async function readSecretOption(
  context: CommandContext,
  what: string,
  { stdin, file }: { stdin?: true | undefined; file?: string | undefined },
): Promise<string | undefined> {
  const { TENANT_USERS_KEY_FILE: keyFile } = context.env;
  if (file !== undefined && keyFile && realPath(file) === realPath(keyFile))
    throw new UsageError(
      `${file} is the key file of TENANT_USERS_KEY_FILE, which encrypts signing keys, and not the ${what}`,
      `Name the file of the ${what}, or leave the option out.`,
    );
  const source = stdin ? '-' : file;
  return source === undefined ? undefined : readSecret(context, source, what);
}

export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** The error for a file that is not what it should be, such as `a valid tenant definition`, with all its issues. */
export async function invalidFile(source: string, what: string, issues: readonly JsonIssue[], hint: string) {
  const { issueLines } = await import('../../service/json/issue.ts');
  const lines = issueLines(issues).map((line) => `\n  ${line}`);
  return new UsageError(
    `${source} is not ${what}, ${formatCount(lines.length, 'error')}:${lines.join('')}`,
    hint,
    issues,
  );
}

const alreadyRead = new WeakSet<CommandContext['stdin']>();

/** Throws a `UsageError` if standard input was read before: a second option would get an empty text, and a prompt no answer. */
function refuseSecondReading({ stdin }: CommandContext): void {
  if (!alreadyRead.has(stdin)) return;
  throw new UsageError(
    'standard input can be read only once, but was given for two options',
    'Put one of them into a file.',
  );
}

async function readStdin(context: CommandContext): Promise<Buffer> {
  refuseSecondReading(context);
  const { stdin } = context;
  alreadyRead.add(stdin);
  const parts: Buffer[] = [];
  for await (const part of stdin) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

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

const bytes = 32;

/**
 * Reads the secret that encrypts the signing keys, from the file of the option or of TENANT_USERS_KEY_FILE; `undefined` if neither
 * is given. Throws a `ConfigurationError` if the file cannot be read, is not a key file, or is exposed to others.
 */
export function readKeyFile({ env }: CommandContext, file = env.TENANT_USERS_KEY_FILE) {
  if (!file) return undefined;
  const text = readFileNow(file, 'Check --key-file and TENANT_USERS_KEY_FILE.');
  const [loose] = loosePermissions(file);
  if (loose !== undefined) {
    throw new ConfigurationError(
      `the key file is not safe: ${loose}`,
      'Then make a new one if others may have read it.',
    );
  }
  const secret = Buffer.from(text.trim(), 'base64');
  if (secret.length === bytes && secret.toString('base64') === text.trim()) return secret;
  throw new ConfigurationError(
    `${file} is not a key file: that is ${bytes} random bytes in base64`,
    `Make one with: (umask 077; openssl rand -base64 ${bytes} > FILE)`,
  );
}
