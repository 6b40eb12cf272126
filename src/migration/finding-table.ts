import { damageFindings } from './damage-findings.ts';

/** What one of our own codes means, and what to do about it. */
export interface FindingEntry {
  message: string;
  /** A sentence on how such rows come about. */
  cause: string;
  /** A sentence on what to do next: the hint in `failures.csv`. */
  remedy: string;
}

/**
 * Codes of our own. All but the last four are findings in a row that was not sent; the last four say why
 * a row that was sent, or was about to be, has no answer of the API.
 */
export const findingTable = {
  CELLS: {
    message: 'the row has more or fewer cells than the header',
    cause: 'A comma is missing or too many, so that values may stand in columns that are not theirs.',
    remedy: 'Look for a missing or an extra comma, or a value with a comma that is not quoted.',
  },
  HEADER_REPEATED: {
    message: 'the row repeats the header',
    cause: 'Files that were joined bring a header each.',
    remedy: 'Remove the line.',
  },
  ROW_EMPTY: {
    message: 'every cell of the row is empty',
    cause: 'Spreadsheets leave such lines where rows were deleted.',
    remedy: 'Remove the line.',
  },
  CONTROL_CHARACTER: {
    message: 'the value holds a line break or another control character',
    cause:
      'A quoted value goes over several lines, or holds a tab or an invisible character; the API refuses these in every field.',
    remedy: 'Put a space in its place.',
  },
  ...damageFindings,
  EMAIL: {
    message: 'the e-mail address is not of the form name@domain',
    cause: 'The address is cut short, has a blank in it, or another value stands in its column.',
    remedy: 'Correct the address or leave the cell empty.',
  },
  MOBILE_SCIENTIFIC: {
    message: 'the mobile number is in scientific notation, as spreadsheets write it',
    cause: 'A spreadsheet took the number for a quantity and rounded it: digits are lost.',
    remedy: 'Export the number again as text.',
  },
  GENDER: {
    message: 'the gender is not one the API knows',
    cause: 'The API has three values, and one of them is spelled unknow.',
    remedy: 'Write unknow (spelled so), male or female.',
  },
  BIRTHDAY: {
    message: 'the birthday is not a day that exists',
    cause: 'The date is in another format than yyyy-mm-dd, or the month has no such day.',
    remedy: 'Write yyyy-mm-dd.',
  },
  MUST_MODIFY: {
    message: 'the value is neither true nor false',
    cause: 'The field pwd_must_modify says whether the password must be changed at the next login.',
    remedy: 'Write true or false in small letters.',
  },
  IMAGE: {
    message: 'the image is neither a URL nor image data',
    cause:
      'The field head_img takes the address of an image or the image itself; a path of a file is neither.',
    remedy: 'Write http://…, https://… or data:image/<type>;base64,…',
  },
  ALGORITHM_MISSING: {
    message: 'the row has no algorithm, so the user would have no password',
    cause:
      'The API creates a user without a password, and says nothing, where the algorithm or the hash is empty.',
    remedy:
      'Fill the cell, or allow users without a password (--allow-passwordless), for which algorithm and hash must both be empty.',
  },
  ALGORITHM_UNKNOWN: {
    message: 'the algorithm is not one the API knows',
    cause: 'Hashes of four algorithms can be imported, and their names are case-sensitive.',
    remedy: 'Write md5, bcrypt, md5_sha256 or hmacsha256_base64_key in small letters.',
  },
  HASH_MISSING: {
    message: 'the row has no hash, so the user would have no password',
    cause:
      'The API creates a user without a password, and says nothing, where the algorithm or the hash is empty.',
    remedy:
      'Fill the cell, or allow users without a password (--allow-passwordless), for which algorithm and hash must both be empty.',
  },
  HASH_SHAPE: {
    message: 'the hash does not have the shape of its algorithm',
    cause:
      'The API takes any text for a hash, and the user could never log in. The hash may be cut short, have a blank too many, or belong to another algorithm.',
    remedy: 'Compare the cell with its source, and the algorithm with what the older system used.',
  },
  KEY_MISSING: {
    message: 'the row has no HMAC key',
    cause: 'The algorithm hmacsha256_base64_key needs the key that the older system made its hashes with.',
    remedy: 'Fill the cell: no password matches without it.',
  },
  CONFLICT: {
    message: 'the row was sent before, and the user that holds its keys is another person',
    cause:
      'No answer came to the row, and a user with its user name, e-mail or mobile number was found, who is not the person of the row.',
    remedy:
      'Find out which of the two is right; correct the row, or that user, then import again with --only failed.',
  },
  NETWORK: {
    message: 'the row did not reach the service',
    cause:
      'The service could not be reached, or was too busy to take the row, in all attempts. Nothing was written.',
    remedy: 'Nothing was written: the row can be sent again when the service is reachable.',
  },
  NO_ANSWER: {
    message: 'the row was sent and no answer came back, or one that leaves open what was done',
    cause:
      'The connection broke off, or the service failed, while it had the row. A create is never sent twice blindly, since it could make two users.',
    remedy: 'The user may exist or not: look the user up before you send the row again.',
  },
  UNEXPECTED: {
    message: 'an unexpected failure while the row was sent',
    cause: 'The program failed at the row; this should not happen.',
    remedy: 'The user may exist or not: look the user up before you send the row again.',
  },
} as const satisfies Record<string, FindingEntry>;

/** A code of our own. */
export type FindingCode = keyof typeof findingTable;

/** What is wrong with a row, before it is given its place and its words. */
export interface Fault {
  code: FindingCode;
  /** The column as the header spells it; left out when the fault is in the row as a whole. */
  column?: string;
  /** Goes into the message; never a value of the row. */
  detail?: string;
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

/** A fault with its place and its words. */
export function findingOf({ code, column, detail }: Fault, row: number, line: number): Finding {
  const { message, remedy } = findingTable[code];
  const told = detail === undefined ? message : `${message} (${detail})`;
  return { code, row, line, column, message: told, hint: remedy };
}
