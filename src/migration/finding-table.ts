/** What one of our own codes means, and what to do about it. */
export interface FindingEntry {
  message: string;
  hint: string;
}

/**
 * Codes of our own. All but the last three are findings in a row that was not sent; the last three say why
 * a row that was sent, or was about to be, has no answer of the API.
 */
export const findingTable = {
  CELLS: {
    message: 'the row has more or fewer cells than the header',
    hint: 'look for a missing or an extra comma, or a value with a comma that is not quoted',
  },
  HEADER_REPEATED: { message: 'the row repeats the header', hint: 'remove the line' },
  ROW_EMPTY: { message: 'every cell of the row is empty', hint: 'remove the line' },
  CONTROL_CHARACTER: {
    message: 'the value holds a line break or another control character',
    hint: 'the API refuses these in every field: put a space there',
  },
  EMAIL: { message: 'the e-mail address has no @', hint: 'correct the address or leave the cell empty' },
  MOBILE_SCIENTIFIC: {
    message: 'the mobile number is in scientific notation, as spreadsheets write it',
    hint: 'export the number again as text: digits are lost',
  },
  GENDER: {
    message: 'the gender is not one the API knows',
    hint: 'write unknow (spelled so), male or female',
  },
  BIRTHDAY: { message: 'the birthday is not a day that exists', hint: 'write yyyy-mm-dd' },
  MUST_MODIFY: {
    message: 'the value is neither true nor false',
    hint: 'write true or false in small letters',
  },
  IMAGE: {
    message: 'the image is neither a URL nor image data',
    hint: 'write http://…, https://… or data:image/<type>;base64,…',
  },
  ALGORITHM_MISSING: {
    message: 'the row has no algorithm, so the user would have no password',
    hint: 'fill the cell, or allow users without a password, for which algorithm and hash must both be empty',
  },
  ALGORITHM_UNKNOWN: {
    message: 'the algorithm is not one the API knows',
    hint: 'write md5, bcrypt, md5_sha256 or hmacsha256_base64_key in small letters',
  },
  HASH_MISSING: {
    message: 'the row has no hash, so the user would have no password',
    hint: 'fill the cell, or allow users without a password, for which algorithm and hash must both be empty',
  },
  HASH_SHAPE: {
    message: 'the hash does not have the shape of its algorithm',
    hint: 'the hash may be cut short, have a blank too many, or belong to another algorithm',
  },
  KEY_MISSING: { message: 'the row has no HMAC key', hint: 'fill the cell: no password matches without it' },
  NETWORK: {
    message: 'the row did not reach the service',
    hint: 'nothing was written: the row can be sent again when the service is reachable',
  },
  NO_ANSWER: {
    message: 'the row was sent and no answer came back, or one that leaves open what was done',
    hint: 'the user may exist or not: look the user up before you send the row again',
  },
  UNEXPECTED: {
    message: 'an unexpected failure while the row was sent',
    hint: 'the user may exist or not: look the user up before you send the row again',
  },
} as const satisfies Record<string, FindingEntry>;

/** A code of our own. */
export type FindingCode = keyof typeof findingTable;

/** What is wrong with a row, before it is given its place and its words. */
export interface Fault {
  code: FindingCode;
  /** The column as the header spells it; left out when the fault is in the row as a whole. */
  column?: string;
}

/** A fault in a row of the source; it never holds the value. */
export interface Finding {
  code: FindingCode;
  row: number;
  line: number;
  column: string | undefined;
  message: string;
  hint: string;
}
