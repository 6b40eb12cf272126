import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { planted } from './secrets.ts';

/** The names that a command line can use: files that contain the secrets, and files that it may write. */
export interface Place {
  given: (name: keyof ReturnType<typeof givenFiles>) => string;
  /** A new name for each run of the command. */
  fresh: (name: string) => string;
}

/** A command line, and its standard input. */
export interface Step {
  args: string[];
  stdin?: string;
}

const { password, md5, hmac, phpass, key, clientSecret, token } = planted;
/** A cell of CSV in quotes. */
export const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** The files that people give to the program, by name. */
export function givenFiles() {
  const header = 'user_name,algorithm,hash,key';
  const rows = [`ann,md5,${md5},`, `bob,hmacsha256_base64_key,${hmac},${quoted(key)}`];
  return {
    'secret.txt': clientSecret,
    'password.txt': password,
    'wrong.txt': `${password}!`,
    'md5.txt': md5,
    'hmac.txt': hmac,
    'key.txt': key,
    'hashes.txt': [md5, hmac, `${md5} `, token].join('\n'),
    'user.json': JSON.stringify({ user_name: 'ann', pwd: password }),
    'broken.json': `{"user_name": "ann", "pwd": ${password}`,
    'unknown.json': JSON.stringify({ user_name: 'ann', secret: password }),
    'tenant.json': JSON.stringify({ tenant_id: 'acme' }),
    'good.csv': [header, ...rows, ''].join('\n'),
    'doubtful.csv': [header, `eve,md5,${md5} ,`, `eve,bcrypt,${hmac},${quoted(key)}`, ...rows, ''].join('\n'),
    'shifted.csv': [
      header,
      `ann,${md5},md5,`,
      `${hmac},md5,,`,
      `x,md5,${quoted(password)},`,
      `${phpass},md5,x,`,
      '',
    ].join('\n'),
    'torn.csv': `${header}\nann,md5,"${md5}\n`,
    'headless.csv': rows.join('\n'),
    'known.csv': `ann,${quoted(password)}\n`,
    'mismatched.csv': `ann,${quoted(`${password} `)}\n`,
    'torn-known.csv': `ann,"${password}\n`,
    'nobody.csv': `nobody,${quoted(password)}\n`,
    'recipe.yaml': `fields: { user_name: { column: user_name } }\npassword: { column: hash, algorithm: { infer: true } }\nexamples: [{ in: { user_name: ann, hash: ${md5} }, out: { algorithm: md5 } }]\n`,
    'torn-recipe.yaml': `fields: { user_name: { column: ${md5}, bad: 1 }\n`,
    'map.txt': `hash=${md5}\n`,
  };
}

/** Writes them into a directory. */
export async function writeGiven(directory: string): Promise<void> {
  const files = Object.entries(givenFiles());
  await Promise.all(files.map(([name, text]) => writeFile(join(directory, name), text)));
}

/** A command line. */
export const line = (...args: string[]): Step => ({ args });
/** A command line with text on its standard input. */
export const fed = (stdin: string, ...args: string[]): Step => ({ args, stdin });

/** Whether this is a command line of the command itself. Commands for users may also be called by their last word. */
export function isOf(path: string, { args }: Step): boolean {
  const short = path.replace(/^users /, '');
  return [path, short].some((name) => `${args.join(' ')} `.startsWith(`${name} `));
}
