import type { FindingEntry } from './finding-table.ts';

/** What spreadsheets, word processors, conversions and joined exports do to a file. Part of the `findingTable`. */
export const damageFindings = {
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
} as const satisfies Record<string, FindingEntry>;
