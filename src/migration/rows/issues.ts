/** What spreadsheets, word processors, conversions and joined exports do to a file. Part of the `findingTable`. */
const damageFindings = {
  BYTE_ORDER_MARK: {
    message: 'a byte order mark (U+FEFF) stands inside the file',
    cause: 'Files that were joined bring a mark each, and most editors do not show it.',
    remedy: 'Remove the mark.',
  },
  CELL_TOO_LARGE: {
    message: 'the value has more than 5 million characters',
    cause:
      'A quote is closed far below the value it belongs to, or an image is larger than any tenant takes.',
    remedy: 'Look for a quote that is not closed, or make the image smaller.',
  },
  CHARACTERS_LOST: {
    message: 'characters were lost in an earlier conversion',
    cause: 'Where an encoding had no such character, a program put a question mark or U+FFFD in its place.',
    remedy: 'Export the file again as UTF-8; where the values are right, add --accept CHARACTERS_LOST.',
  },
  MOJIBAKE: {
    message: 'the text looks like UTF-8 that was read as Windows-1252',
    cause: 'A program took the file for another encoding when it opened it, and saved what it saw.',
    remedy: 'Export the file again as UTF-8; where the values are right, add --accept MOJIBAKE.',
  },
  FORMULA: {
    message: 'the value looks like a formula or an error of a spreadsheet',
    cause:
      'A cell that begins with =, + or @ is computed by spreadsheets; #REF! and the like are their errors.',
    remedy: 'Export the values, not the formulas; where the values are right, add --accept FORMULA.',
  },
  TYPOGRAPHIC: {
    message: 'the value holds a typographic quote, dash or blank, or a character that cannot be seen',
    cause:
      'Word processors and web pages put these in the place of plain characters, and nobody can type them.',
    remedy: 'Write the plain character; where the values are right, add --accept TYPOGRAPHIC.',
  },
  OUTER_BLANK: {
    message: 'the value begins or ends with a blank',
    cause: 'Exports from columns of a fixed width are filled up with blanks, and values are never trimmed.',
    remedy: 'Remove the blank in the source.',
  },
  TOO_LONG: {
    message: 'the value has more characters than tenants take by default',
    cause: 'Values may stand in the wrong column, or the tenant may take longer ones than most.',
    remedy: 'Shorten the value; where the tenant takes longer ones, add --accept TOO_LONG.',
  },
  USER_NAME: {
    message: 'the user name has a blank in it',
    cause: 'A full name stands in the column of the user name, or the older system let such names pass.',
    remedy: 'Correct the name; where the tenant takes such names, add --accept USER_NAME.',
  },
  MOBILE: {
    message: 'the mobile number is not of the form <area code>-<number>',
    cause: 'The number has blanks, brackets or letters, or no hyphen after its area code.',
    remedy: 'Write digits, as in 86-13800000000; where the tenant takes other forms, add --accept MOBILE.',
  },
  MOBILE_DECIMAL: {
    message: 'the mobile number has decimal places, as spreadsheets write them',
    cause: 'A spreadsheet took the number for a quantity: leading zeros and digits may be lost.',
    remedy: 'Export the number again as text.',
  },
  DUPLICATE_USER_NAME: {
    message: 'an earlier row of the file has this user name',
    cause: 'No two users may share one, and case makes no difference. The first of the rows stays.',
    remedy: 'Keep one of the two rows, or give the other a name of its own.',
  },
  DUPLICATE_EMAIL: {
    message: 'an earlier row of the file has this e-mail address',
    cause: 'No two users may share one, and case makes no difference. The first of the rows stays.',
    remedy: 'Keep one of the two rows, or leave the address of the other empty.',
  },
  DUPLICATE_MOBILE: {
    message: 'an earlier row of the file has this mobile number',
    cause:
      'No two users may share one; +86-1…, 86-1… and 1… are the same number. The first of the rows stays.',
    remedy: 'Keep one of the two rows, or leave the number of the other empty.',
  },
  HASH_TRUNCATED: {
    message: 'the hash is cut short',
    cause: 'A column on the way was narrower than the hash, and no password matches what is left.',
    remedy: 'Export the hash again, from and into columns that are wide enough.',
  },
  HASH_COST: {
    message: 'the cost of the bcrypt hash is higher than any that is compared',
    cause:
      'Each step of the cost doubles the work of a login: above 16 it takes many seconds, and the local service never matches such a hash.',
    remedy:
      'Such users need a new password; where the tenant is known to compare it all the same, add --accept HASH_COST.',
  },
  WRAPPER: {
    message: 'the hash stands behind the name of another scheme',
    cause:
      'Older systems write the scheme between braces before the hash. It is taken off where it says the same as the algorithm.',
    remedy: 'Correct the algorithm; the API takes md5, bcrypt, md5_sha256 and hmacsha256_base64_key only.',
  },
} as const satisfies Record<string, IssueEntry>;

/** What one of our own codes means, and what to do about it. */
export interface IssueEntry {
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
export const issueTable = {
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
} as const satisfies Record<string, IssueEntry>;

/** A code of our own. */
export type IssueCode = keyof typeof issueTable;

/** What is wrong with a row, before it is given its position and its words. */
export interface IssueCause {
  code: IssueCode;
  /** The column as the header spells it; left out when the issue concerns the row as a whole. */
  column?: string;
  /** Goes into the message; never a value of the row. */
  detail?: string;
}

/** What is wrong with a row of the source; it never holds the value. */
export interface Issue {
  code: IssueCode;
  row: number;
  line: number;
  column: string | undefined;
  message: string;
  hint: string;
}

/** Gives an issue its position and its words. */
export function createIssue({ code, column, detail }: IssueCause, row: number, line: number): Issue {
  const { message, remedy } = issueTable[code];
  const text = detail === undefined ? message : `${message} (${detail})`;
  return { code, row, line, column, message: text, hint: remedy };
}

/** Issues that are likely an error, but not surely: the caller may accept them for a whole file. */
export const warningCodes = [
  'CHARACTERS_LOST',
  'FORMULA',
  'HASH_COST',
  'MOBILE',
  'MOJIBAKE',
  'TOO_LONG',
  'TYPOGRAPHIC',
  'USER_NAME',
] as const satisfies readonly IssueCode[];

export type WarningCode = (typeof warningCodes)[number];
