/** What a log may hold of a failure. */
export interface Fault {
  name: string;
  message: string;
  code?: string;
  /** Where it happened, without the message that a stack repeats. */
  stack: string[];
}

/** What looks like a token, a ticket, a signed identity or a stored password, wherever it turns up. */
const secretShapes =
  /\b\d+\.[\w-]{43}\b|ssoTicket-\w+|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\$(?:2[aby]|argon2\w*|scrypt)\$\S+|[\w-]*pass(?:word|wd)?=\S+|:\/\/[^\s/@]+@|\b(?:Bearer|Basic) \S+|\b[0-9a-f]{32}\b|[\w+-]{40,}={0,2}/gi;

/** PostgreSQL ends some messages with the value at fault, in quotes. */
const quotedValue = /: ".*"$/s;

/**
 * Describes a failure for a log by its name, code, message and place, and by nothing else that hangs on the error: a
 * driver's `detail` or `parameters` hold values of users. Never throws.
 */
export function describeFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { name: typeof error, message: 'no error was thrown', stack: [] };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    message: concealed(error.message),
    ...code,
    stack: frames.map((line) => line.trim()),
  };
}

function concealed(message: string): string {
  return message.replace(quotedValue, ': …').replace(secretShapes, '…').slice(0, 500);
}
