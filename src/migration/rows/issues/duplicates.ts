import { hash, randomBytes } from 'node:crypto';
import { defaultAreaCode, normalForm, parseMobile } from '../../../contract/normal-forms.ts';
import type { HashedUser } from '../../../contract/wire.ts';
import type { KeyField } from '../../actions/keys.ts';
import type { IssueCause, IssueCode } from './issues.ts';

/** Issue codes for a value that another row has. */
export const duplicateCodes = {
  user_name: 'DUPLICATE_USER_NAME',
  email: 'DUPLICATE_EMAIL',
  mobile: 'DUPLICATE_MOBILE',
  external_id: 'DUPLICATE_EXTERNAL_ID',
} as const satisfies Record<KeyField, IssueCode>;

/** A unique value of a row that an earlier row of the file has. */
export interface Duplicate {
  field: KeyField;
  /** The first row that has the value. */
  first: number;
}

const none: readonly Duplicate[] = [];
/** Largest share of the slots that is used: beyond it, finding a free one takes long. */
const fullest = 0.9;

/** What is known of a row: the recipe leaves it out; it can be sent; a row that is left out has a value of it. */
const marks = { leftOut: 1, ready: 2, shares: 4 } as const;

/**
 * Creates the search for values that two rows have in one of these fields. It stores each value as a digest with the first row that
 * has it: 8 bytes per slot, in a table sized for the whole file, so 9 bytes per value. User names, e-mail addresses and mobile numbers
 * are one kind of value, since a login accepts each (decision 17); a row may have one value twice. A slot has 64 bits for digest and
 * row number, and its position adds more: in a file of a million rows, two different values are taken for equal with a chance of about
 * one in a million. `mayLeaveOut`: the recipe may leave rows out; such a row has a value only until another row has it.
 */
export function createDuplicateSearch(rows: number, fields: readonly KeyField[], mayLeaveOut = false) {
  const size = Math.ceil((rows * fields.length) / fullest) + 1;
  const slots = new Uint32Array(2 * size);
  const rowBits = 32 - Math.clz32(rows);
  const rowMask = 2 ** rowBits - 1;
  const [seed, seedOfIds] = [randomSeed(), randomSeed()];
  const hasMobiles = fields.includes('mobile');
  const known = new Uint8Array(mayLeaveOut ? rows + 1 : 0);
  const mark = (row: number, bit: number) => {
    known[row] = (known[row] ?? 0) | bit;
  };
  const has = (row: number, bit: number) => ((known[row] ?? 0) & bit) > 0;

  /** Returns the first row with this digest: `row` itself if there was none before. A row that is left out loses the value to it. */
  function firstRow(digest: string, row: number): number {
    const high = wordAt(digest, 0);
    const low = (wordAt(digest, 4) << rowBits) >>> 0;
    let at = 2 * Math.floor((wordAt(digest, 8) / 2 ** 32) * size);
    for (;;) {
      const second = slots[at + 1] ?? 0;
      if (second === 0) break;
      if (slots[at] === high && (second & ~rowMask) >>> 0 === low) {
        const first = second & rowMask;
        if (has(first, marks.leftOut) && !has(row, marks.leftOut)) slots[at + 1] = low | row;
        return first;
      }
      at = at + 2 === slots.length ? 0 : at + 2;
    }
    slots[at] = high;
    slots[at + 1] = low | row;
    return row;
  }

  /** Returns the unique values of a row that another row has, and that row. */
  function othersWith(row: number, user: HashedUser): readonly Duplicate[] {
    let others = none;
    for (const field of fields) {
      const value = user[field];
      if (value === undefined) continue;
      const form = field === 'user_name' && hasMobiles && isLikeMobile(value) ? 'mobile' : field;
      const text = normalForm(form, value, defaultAreaCode);
      // With a fast hash such as XXH64, it is easy to make values that clash under any seed: one user could hide another.
      const digest = hash('sha1', (field === 'external_id' ? seedOfIds : seed) + text, 'binary');
      const first = firstRow(digest, row);
      if (first !== row) others = [...others, { field, first }];
    }
    return others;
  }

  return {
    /** Stores the unique values of a row. Returns those that an earlier row has. */
    add(row: number, user: HashedUser): readonly Duplicate[] {
      const others = othersWith(row, user);
      if (others.length === 0) return none;
      const duplicates = others.filter(({ first }) => !has(first, marks.leftOut));
      if (duplicates.length < others.length) mark(row, marks.shares);
      return duplicates;
    },
    /** Stores the values of a row that the recipe leaves out. Returns rows with one of them that can be sent, each once. */
    leaveOut(row: number, user: HashedUser): readonly number[] {
      mark(row, marks.leftOut);
      const sharing: number[] = [];
      for (const { first } of othersWith(row, user)) {
        if (has(first, marks.leftOut)) continue;
        if (has(first, marks.ready) && !has(first, marks.shares)) sharing.push(first);
        mark(first, marks.shares);
      }
      return sharing;
    },
    /** Notes that a row can be sent. Returns it if a row that is left out, and came before, has a value of it. */
    ready(row: number): readonly number[] {
      mark(row, marks.ready);
      return has(row, marks.shares) ? [row] : [];
    },
  };
}

export type DuplicateSearch = ReturnType<typeof createDuplicateSearch>;

/** What is said of a duplicate besides the number of the `first` row, which is kept. */
interface FirstRow {
  first: number;
  /** The first row comes later in the file. */
  isLater: boolean;
  /** The first row has no password, and the other one has. */
  losesHash: boolean;
}

/** Returns the issue of a row whose value another row keeps. A shared external ID hinders no login: the code says what to do. */
export function duplicateCause(
  field: KeyField,
  { first, isLater, losesHash }: FirstRow,
): Pick<IssueCause, 'code' | 'detail' | 'remedy'> {
  const code = duplicateCodes[field];
  const remedy = isLater ? othersFirst : hashesFirst;
  const because = isLater ? ', which is not disabled' : ', which has no password';
  if (field === 'external_id') return { code, detail: `row ${first}${isLater ? because : ''}` };
  return isLater || losesHash
    ? { code, detail: `row ${first}${because}`, remedy }
    : { code, detail: `row ${first}` };
}

/** What to do if the first of two rows, which is kept, has no password, and the other one has. */
const hashesFirst =
  'If both rows are of one person, the password is lost: put the rows with a hash first in the file.';

/** What to do if the row is of a disabled person, and a later one, which is kept, is not. */
const othersFirst =
  'The person of that row may log in, so it is kept. If both are one person, remove this row; otherwise give it other values.';

function randomSeed(): string {
  return randomBytes(12).toString('base64');
}

/** Fewest digits of a mobile number. A shorter user name is a number of another kind, such as 86-1001 of an employee. */
const fewestDigits = 7;

/**
 * True for a user name that a login could read as a mobile number. Two forms of one number then count as one user name, although the
 * API takes both if nobody has the number as mobile number: they are hardly ever two people, and to tell them apart takes a slot more.
 */
function isLikeMobile(userName: string): boolean {
  return (parseMobile(userName)?.number.length ?? 0) >= fewestDigits;
}

/** Reads an unsigned 32-bit number from a string with one byte per character. */
function wordAt(bytes: string, at: number): number {
  const word =
    (bytes.charCodeAt(at) << 24) |
    (bytes.charCodeAt(at + 1) << 16) |
    (bytes.charCodeAt(at + 2) << 8) |
    bytes.charCodeAt(at + 3);
  return word >>> 0;
}
