import { parse } from 'csv-parse/sync';
import { SourceError } from '../model/errors.ts';

/** A user whose known password is used to verify the hashes of the file. */
export interface Canary {
  /** Line of the list, from 1. */
  line: number;
  userName: string;
  password: string;
}

/** A list of canaries, and the name of its file for messages. */
export interface CanaryList {
  name: string;
  list: readonly Canary[];
}

/** More canaries would only take time: each bcrypt comparison takes a good part of a second. */
const most = 1000;

/**
 * Reads lines of `user_name,password`; a value with a comma or a quote is quoted as in CSV. Throws a `SourceError` that
 * names the line and no password.
 */
export function readCanaries(name: string, text: string): Canary[] {
  const fail = (line: number, fault: string) => new SourceError(name, fault, line);
  let records: { record: string[]; info: { lines: number } }[];
  try {
    const options = {
      bom: true,
      info: true,
      // Without it, the line end of the first line counts as that of all.
      recordDelimiter: ['\r\n', '\n', '\r'],
      relaxColumnCount: true,
      skipEmptyLines: true,
    };
    // The library's types lack what `info` adds to each record.
    records = parse(text, options) as unknown as typeof records;
  } catch {
    // The parser's message would repeat part of the text.
    throw new SourceError(name, 'the canaries are not CSV; use lines of user_name,password');
  }
  const [{ record: names = [] } = {}] = records;
  if (names.length > 2 && names.includes('user_name')) {
    throw new SourceError(name, 'this is a file of users; canaries are lines of user_name,password');
  }
  const canaries = records.map(
    ({ record: [userName = '', password = '', ...more], info: { lines: line } }) => {
      if (userName === '' || password === '')
        throw fail(line, 'a canary is a user name, a comma and a password');
      if (more.length > 0) throw fail(line, 'there is an extra comma; quote a password that contains one');
      return { line, userName, password };
    },
  );
  const [first] = canaries;
  if (first?.userName === 'user_name' && first.password === 'password') canaries.shift();
  if (canaries.length === 0)
    throw new SourceError(name, 'it contains no canaries; use lines of user_name,password');
  if (canaries.length > most)
    throw new SourceError(
      name,
      `it contains more than ${most} canaries; a few for each algorithm are enough`,
    );
  return canaries;
}
