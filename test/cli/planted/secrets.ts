import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const password = 'Planted pass"wörd/3';
const digest = createHash('sha256').update(password).digest('base64');

/** Secrets with characters that JSON, URLs and Base64 write in another form. */
export const planted = {
  clientSecret: 'Planted secret/1+"ü&x',
  token: 'Planted.token/2+"x~',
  password,
  md5: createHash('md5').update(password).digest('hex'),
  hmac: digest,
  /** Of a scheme that the API does not accept. */
  phpass: '$P$BPlanted/6HashPlanted7HashPla1/',
  key: 'Planted-key/4+"ü',
  ticket: 'ssoTicket-Planted/5+"x',
  proxyPassword: 'Planted proxy/6%"ü',
} as const;

export type SecretName = keyof typeof planted;

const names = Object.keys(planted) as SecretName[];

/** Every form in which a secret may be written; case is ignored. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const inUrl = encodeURIComponent(secret);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    inUrl,
    encodeURI(secret),
    encodeURIComponent(inUrl),
    `${new URLSearchParams({ '': secret })}`.slice(1),
    secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    secret.replaceAll('"', '""'),
    bytes.toString('hex'),
    // In Base64 the preceding bytes change the letters. These are the letters that depend on the secret alone, for each
    // of the three offsets.
    ...[0, 1, 2].map((before) => {
      const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
      return text.slice(before === 0 ? 0 : 4, -4);
    }),
  ];
}

/** Many forms of a secret are equal, such as those of hexadecimal digits. */
const foldedForms = new Map(
  names.map((name) => [name, [...new Set(formsOf(planted[name]).map((form) => folded(form)))]]),
);

/** Bytes as characters, without case: for text and for databases. */
function folded(content: string | Buffer): string {
  return Buffer.from(content).toString('utf8').toLowerCase();
}

/** The secrets that a content contains in any form, except those that are allowed. */
export function tracesIn(content: string | Buffer, allowed: readonly SecretName[] = []): SecretName[] {
  const text = folded(content);
  return names.filter(
    (name) => !allowed.includes(name) && foldedForms.get(name)?.some((form) => text.includes(form)),
  );
}

/** The secrets in the files below a directory, such as `job/report.html: md5`, except those that a file may contain. */
export function tracesBelow(directory: string, allowed: (file: string) => readonly SecretName[]): string[] {
  return filesBelow(directory).flatMap((path) => {
    const content = unlessGone(() => readFileSync(path), '');
    return tracesIn(content, allowed(path)).map((secret) => `${relative(directory, path)}: ${secret}`);
  });
}

function filesBelow(directory: string): string[] {
  return unlessGone(() => readdirSync(directory, { withFileTypes: true }), []).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** The lock of a command that was interrupted may be deleted meanwhile. */
function unlessGone<T, U>(read: () => T, otherwise: U): T | U {
  try {
    return read();
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return otherwise;
    throw failure;
  }
}
