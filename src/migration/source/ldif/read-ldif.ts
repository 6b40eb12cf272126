import { isUtf8 } from 'node:buffer';
import { attributeNames } from '../../../contract/attributes.ts';
import { SourceError } from '../../model/errors.ts';
import { largestRecord, undecodable } from '../../model/source-record.ts';

/** One entry of a directory: its values by attribute name. A second value of `mail` is named `mail.1`. */
interface Entry {
  line: number;
  values: Map<string, string>;
}

const lineFeed = 10;

/**
 * User attributes whose values are UTF-8 text (RFC 4519, and those that Active Directory adds). In these, bytes that are not UTF-8
 * are an issue: as base64 they would become the name of a person.
 */
const texts = new Set<string>([
  ...attributeNames.filter((name) => name !== 'external_id' && name !== 'head_img'),
  ...['uid', 'cn', 'sn', 'givenname', 'displayname', 'mail', 'mobile', 'telephonenumber', 'postalcode'],
  ...['postaladdress', 'street', 'employeenumber', 'samaccountname', 'userprincipalname'],
]);

/**
 * Reads LDIF (RFC 2849) entry by entry: handles folded lines, comments, base64 values, and what `ldapsearch` writes around the
 * entries. Attribute names ignore case; each is kept in its first spelling. Creates the function that returns the entries that end
 * in a chunk, `undefined` being the end of the file.
 */
function createEntries(file: string) {
  const spellings = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let line = 0;
  let folded = '';
  let foldedLine = 1;
  let entry: Entry | undefined;
  let isTrailer = false;
  let finished: Entry[] = [];

  const fail = (fault: string, at = foldedLine) =>
    new SourceError(file, `not readable as LDIF: ${fault}`, at);

  function endEntry(): void {
    if (entry) finished.push(entry);
    entry = undefined;
    isTrailer = false;
  }

  function takeLine(text: string): void {
    line += 1;
    if (text.startsWith(' ')) {
      if (folded === '') throw fail('a line begins with a space, but continues nothing', line);
      folded += text.slice(1);
      return;
    }
    if (folded !== '') takeLogicalLine(folded);
    folded = text;
    foldedLine = line;
    if (text === '') endEntry();
  }

  function takeLogicalLine(text: string): void {
    requireWhole(text);
    if (text.startsWith('#') || isTrailer) return;
    const found = /^([A-Za-z0-9_.-]+(?:;[A-Za-z0-9;=._-]+)?):([:<]?) *(.*)$/s.exec(text);
    if (!found) throw fail('the line is not of the form name: value');
    const [, given = '', kind = '', value = ''] = found;
    const lower = given.toLowerCase();
    if (!entry) {
      if (lower === 'version') return;
      // What ldapsearch writes after the last entry.
      if (lower === 'search' || lower === 'result' || lower === 'ref') {
        isTrailer = true;
        return;
      }
      if (lower !== 'dn') throw fail('an entry must begin with dn:');
      entry = { line: foldedLine, values: new Map() };
    } else if (lower === 'dn')
      throw fail('an entry begins inside another: a blank line is missing before it');
    if (lower === 'changetype') {
      if (value === 'add') return;
      throw fail(
        `this file holds changes (changetype: ${/^[a-z]+$/.test(value) ? value : '…'}), not the entries themselves; export them with ldapsearch or slapcat`,
      );
    }
    if (kind === '<') {
      if (!texts.has(withoutOptions(lower)) && lower !== 'userpassword') return;
      throw fail(
        `the value of ${lower} is in a file of its own; export it again, with ldapsearch without -t`,
      );
    }
    const name = spellings.get(lower) ?? given;
    spellings.set(lower, name);
    addValue(entry.values, name, kind === ':' ? decoded(value, lower) : value);
  }

  /** Decodes base64: text, with undecodable bytes marked; a picture or binary id stays base64. `name` is in lower case. */
  function decoded(value: string, name: string): string {
    const bytes = Buffer.from(value, 'base64');
    // A value whose length is not a multiple of four was cut short; what is left must not be taken for the whole.
    if (value.length % 4 > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))
      throw fail('the value after :: is not base64, or a part of it only');
    if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString();
    return texts.has(withoutOptions(name)) ? bytes.toString().replaceAll('\uFFFD', undecodable) : value;
  }

  /** Checks the result of the search, which follows the last entry: OpenLDAP writes a line, UnboundID a comment. */
  function requireWhole(text: string): void {
    const [, code = '0'] = /^(?:result: |# Result Code: +)(\d+)/.exec(text) ?? [];
    if (entry || code === '0') return;
    throw fail(
      `the search ended early (result ${code}), so entries are missing; raise the limit of the server, or page (-E pr=500/noprompt), and export again`,
    );
  }

  function takeLines(chunk: Buffer): void {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let start = line === 0 && bytes[0] === 0xef ? 3 : 0;
    for (let end = bytes.indexOf(lineFeed, start); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      takeLine(lineOf(bytes.subarray(start, end)));
      start = end + 1;
    }
    rest = Buffer.from(bytes.subarray(start));
    if (rest.length + folded.length > largestRecord) throw fail('a value has more than 64 MiB');
  }

  return (chunk: Buffer | undefined): readonly Entry[] => {
    finished = [];
    if (chunk) takeLines(chunk);
    else {
      if (rest.length > 0) takeLine(lineOf(rest));
      takeLine('');
    }
    return finished;
  };
}

/** Returns `cn` for `cn;lang-de`. */
function withoutOptions(name: string): string {
  return name.split(';', 1)[0] ?? '';
}

function lineOf(bytes: Buffer): string {
  return bytes.toString('utf8', 0, bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length);
}

function addValue(values: Map<string, string>, name: string, value: string): void {
  let free = name;
  for (let count = 1; values.has(free); count += 1) free = `${name}.${count}`;
  values.set(free, value);
}

/** Reads the entries of an LDIF file, in one pass. */
export function ldifReading(file: string) {
  return {
    cut: createEntries(file),
    valuesOf({ values }: Entry, add: (name: string, value: string) => void): void {
      for (const [name, value] of values) add(name, value);
    },
    end(rows: number): void {
      if (rows === 0) throw new SourceError(file, 'there are no entries in the file');
    },
  };
}
