/** What one of the importer's codes means, and what to do about it. */
export interface IssueEntry {
  message: string;
  /** One sentence on how such rows arise. */
  cause: string;
  /** One sentence on what to do next: the hint in `failures.csv`. */
  remedy: string;
}

/**
 * The importer's own codes. Those from `CONFLICT` on say what happened to a row that was sent, or was about to be; all others are
 * issues of a row that was not sent.
 */
export const issueTable = {
  CELLS: {
    message: 'the row has more or fewer cells than the header',
    cause: 'A comma is missing or extra, so values may be in the wrong columns.',
    remedy: 'Look for a missing or extra comma, or an unquoted value that contains one.',
  },
  HEADER_REPEATED: {
    message: 'the row repeats the header',
    cause: 'Each file of a joined export brings its own header.',
    remedy: 'Remove the line.',
  },
  ROW_EMPTY: {
    message: 'the row has nothing about a person in the columns that are read',
    cause:
      'Spreadsheets leave empty lines after rows are deleted; what is the same for all rows, or only says how to read a hash, makes no user.',
    remedy: 'Remove the line, or read the columns that have its values.',
  },
  CONTROL_CHARACTER: {
    message: 'the value contains a line break or another control character',
    cause:
      'A quoted value spans several lines, or contains a tab or an invisible character; by default the API accepts line breaks and tabs in mailing_address only.',
    remedy: 'Replace it with a space; if the line breaks and tabs are meant, add --accept CONTROL_CHARACTER.',
  },
  // Damage by spreadsheets, word processors, conversions and joined exports.
  BYTE_ORDER_MARK: {
    message: 'the file has a byte order mark (U+FEFF) in the middle',
    cause: 'Each file of a joined export brings its own mark, and most editors do not show it.',
    remedy: 'Remove the mark.',
  },
  ENCODING: {
    message: 'the value is not in the encoding of the file',
    cause:
      'Lines of another system, in another encoding, were added to the export, or a directory holds such names.',
    remedy:
      'Convert these lines alone to the encoding of the other lines, for example with iconv -f WINDOWS-1252 -t UTF-8 or iconv -f UTF-8 -t GB18030, or correct the values at the source and export again; a spreadsheet would change numbers too. If they are in the encoding of the other lines, convert the whole file to UTF-8.',
  },
  CELL_TOO_LARGE: {
    message: 'the value has more than 5 million characters',
    cause:
      'A quote is closed far below the value it belongs to, or an image is larger than any tenant accepts.',
    remedy: 'Look for an unclosed quote, or make the image smaller.',
  },
  CHARACTERS_LOST: {
    message: 'characters were lost in an earlier conversion',
    cause:
      'The target encoding did not have the character, so a program wrote a question mark or U+FFFD instead.',
    remedy: 'Export the file again as UTF-8; if the values are correct, add --accept CHARACTERS_LOST.',
  },
  MOJIBAKE: {
    message: 'the text seems to have been read with the wrong encoding, Windows-1252',
    cause: 'A program opened the file, or a database keeps its texts, with the wrong encoding.',
    remedy:
      'Export the file again in the encoding that the old system really uses; if the values are correct, add --accept MOJIBAKE.',
  },
  ESCAPED: {
    message:
      "the text contains HTML, JSON, PHP or URL escapes, such as &amp; \\u00e9 \\' %40, or an identifier begins with an apostrophe",
    cause:
      'The old system stores texts in this form, or the export wrote them so, with an apostrophe against formulas in spreadsheets; users would see it.',
    remedy:
      'Export the text itself, or remove what was added in a recipe (strip: ["\'"]); if the values are correct, add --accept ESCAPED.',
  },
  FORMULA: {
    message: 'the value looks like a spreadsheet formula or error',
    cause:
      'Spreadsheets evaluate cells that begin with =, + or @; #REF!, Err:502 and the like are their errors.',
    remedy: 'Export values instead of formulas; if the values are correct, add --accept FORMULA.',
  },
  NULL_MARKER: {
    message: 'the value is a word for "no value", such as NULL, \\N, None or N/A',
    cause: 'Databases and programs write such a word into an export where a value is missing.',
    remedy: 'Leave the cell empty; if all such values are correct, add --accept NULL_MARKER.',
  },
  SCIENTIFIC: {
    message: 'the value is a number in scientific notation, as spreadsheets write it',
    cause: 'A spreadsheet treated an identifier as a quantity and rounded it: digits are lost.',
    remedy: 'Export the column again as text, and do not open the export in a spreadsheet.',
  },
  WHOLE_DECIMAL: {
    message: 'the value is a whole number with “.0”, as programs write quantities',
    cause: 'A program read an identifier as a quantity: “.0” was added, and leading zeros may be lost.',
    remedy: 'Export the column again as text; if the values are correct, add --accept WHOLE_DECIMAL.',
  },
  TYPOGRAPHIC: {
    message: 'the value contains a typographic quote, dash or space, or an invisible character',
    cause: 'Word processors and web pages replace plain characters with these, and users cannot type them.',
    remedy: 'Use the plain character; if the values are correct, add --accept TYPOGRAPHIC.',
  },
  OUTER_BLANK: {
    message: 'the value begins or ends with a space',
    cause: 'Exports of fixed-width columns are padded with spaces, and values are never trimmed.',
    remedy:
      'Remove the space in the source, or with trim: true in a recipe; if only texts such as addresses have it, --accept OUTER_BLANK sends them as they are.',
  },
  TOO_LONG: {
    message: 'the value has more characters than tenants accept by default',
    cause: 'The value may be in the wrong column, or the tenant may accept longer values.',
    remedy: 'Shorten the value; if the tenant accepts longer ones, add --accept TOO_LONG.',
  },
  USER_NAME: {
    message: 'the user name contains a space',
    cause: 'The column holds full names, or the old system allowed spaces in user names.',
    remedy: 'Correct the name; if the tenant accepts such names, add --accept USER_NAME.',
  },
  MOBILE: {
    message: 'the mobile number is not of the form <area code>-<number>',
    cause: 'The number has spaces, brackets or letters, or no hyphen after its area code.',
    remedy: 'Use digits, as in 86-13800000000; if the tenant accepts other forms, add --accept MOBILE.',
  },
  MOBILE_DECIMAL: {
    message: 'the mobile number has decimal places, as spreadsheets write numbers',
    cause: 'A spreadsheet treated it as a quantity: leading zeros and digits may be lost.',
    remedy: 'Export the number again as text.',
  },
  DUPLICATE_USER_NAME: {
    message: 'an earlier row of the file has this user name',
    cause: 'User names are unique regardless of case. The first of the rows is kept.',
    remedy:
      'Keep one of the two rows, or give the other another user name. The earlier row may have it as e-mail address or mobile number, with which people log in too.',
  },
  DUPLICATE_EMAIL: {
    message: 'an earlier row of the file has this e-mail address',
    cause: 'E-mail addresses are unique regardless of case. The first of the rows is kept.',
    remedy:
      'Keep one of the two rows, or leave the address of the other empty. The earlier row may have it as user name.',
  },
  DUPLICATE_MOBILE: {
    message: 'an earlier row of the file has this mobile number',
    cause:
      'Mobile numbers are unique; +86-1…, 86-1… and 1… are the same number. The first of the rows is kept.',
    remedy:
      'Keep one of the two rows, or leave the number of the other empty. The earlier row may have it as user name. A number without an area code counts as one of 86: write the code if it has another.',
  },
  DUPLICATE_EXTERNAL_ID: {
    message: 'an earlier row of the file has this external ID',
    cause:
      'A look-up by this id finds one of the users only, and nobody can change the id later; a spreadsheet may have rounded several ids to one.',
    remedy:
      'Compare the ids with their source; if several users share one on purpose, add --accept DUPLICATE_EXTERNAL_ID.',
  },
  LEADING_ZEROS: {
    message: 'the number is shorter than the others of its column',
    cause: 'A spreadsheet treated an identifier as a quantity, and dropped its leading zeros.',
    remedy:
      'Export the column again as text; if the shorter numbers are correct, add --accept LEADING_ZEROS.',
  },
  HASH_TRUNCATED: {
    message: 'the hash is cut short',
    cause: 'A column of the export was too narrow for the hash, and no password matches what is left.',
    remedy: 'Export the hash again with columns that are wide enough.',
  },
  HASH_COST: {
    message: 'the cost of the bcrypt hash is higher than tenants accept',
    cause:
      'Each step of the cost doubles the work of a login: above 14 a login takes seconds, and a tenant rejects the hash unless it is set up for more; above 16 it is never compared.',
    remedy:
      'Let these users set a new password; if the tenant is known to accept such hashes, add --accept HASH_COST.',
  },
  WRAPPER: {
    message: 'the hash has the prefix of another scheme',
    cause:
      'Old systems write the scheme in braces before the hash. It is removed only if it matches the algorithm.',
    remedy:
      'Remove the prefix if a hash of this algorithm follows. Otherwise the users need a new password: the API accepts only md5, bcrypt, md5_sha256 and hmacsha256_base64_key.',
  },
  VALUE_UNKNOWN: {
    message: 'the recipe has no entry for this value',
    cause: 'The table of values of the recipe has no entry for what the old system wrote here.',
    remedy:
      'Add the value to the recipe: under values: of a field, which otherwise: completes, or under in: or known: of a condition.',
  },
  PHONE_UNREADABLE: {
    message: 'the telephone number is not valid in its country',
    cause: 'Digits are missing or extra, or the number belongs to another country and has no country code.',
    remedy: 'Correct the number, or leave it out with otherwise: "" in the recipe.',
  },
  DATE_UNREADABLE: {
    message: 'the date matches none of the formats in the recipe',
    cause: 'The old system wrote dates in several forms, or two forms give different days.',
    remedy: 'Add the form to date: in the recipe, or leave such dates out with otherwise: "".',
  },
  NUMBER_ROUNDED: {
    message: 'the number ends in zeros after 15 digits, as a spreadsheet rounds it',
    cause: 'Spreadsheets keep 15 digits of a number and write zeros for the others.',
    remedy: 'Export the column again as text, and do not open the export in a spreadsheet.',
  },
  EMAIL: {
    message: 'the e-mail address is not of the form name@domain',
    cause: 'The address is cut short, contains a space, or another value is in its column.',
    remedy: 'Correct the address or leave the cell empty.',
  },
  MOBILE_SCIENTIFIC: {
    message: 'the mobile number is in scientific notation, as spreadsheets write it',
    cause: 'A spreadsheet treated it as a quantity and rounded it: digits are lost.',
    remedy: 'Export the number again as text.',
  },
  GENDER: {
    message: 'the gender is not one of unknow, male and female',
    cause: 'The API accepts these three values; unknow is its spelling.',
    remedy: 'Use unknow, male or female.',
  },
  BIRTHDAY: {
    message: 'the birthday is not a date of the form yyyy-mm-dd',
    cause: 'The date has another format, or the month has no such day.',
    remedy: 'Use yyyy-mm-dd.',
  },
  MUST_MODIFY: {
    message: 'the value is neither true nor false',
    cause: 'The column pwd_must_modify says whether the password must be changed at the next login.',
    remedy: 'Use true or false in lower case.',
  },
  IMAGE: {
    message: 'the image is neither a URL nor image data',
    cause: 'The column head_img accepts the URL of an image or the image itself; a file path is neither.',
    remedy: 'Use http://…, https://… or data:image/<type>;base64,…',
  },
  PASSWORD_MISSING: {
    message: 'the row has neither a hash nor an algorithm, so the user would have no password',
    cause: 'The user had no password in the old system, or the export left it out.',
    remedy: 'Add the hash and its algorithm, or create these users without a password: --allow-passwordless.',
  },
  ALGORITHM_MISSING: {
    message: 'the row has no algorithm, so the user would have no password',
    cause: 'If the algorithm is empty, the API silently creates a user without a password.',
    remedy:
      'Fill in the cell, name the algorithm with --algorithm, or have it found by the form of each hash: --algorithm infer.',
  },
  ALGORITHM_UNKNOWN: {
    message: 'the algorithm is not one that the API accepts',
    cause: 'The API accepts four algorithms; case does not matter here.',
    remedy:
      'Use md5, bcrypt, md5_sha256 or hmacsha256_base64_key; tenant-users hash identify shows which ones a hash can be.',
  },
  HASH_MISSING: {
    message: 'the row has no hash, so the user would have no password',
    cause: 'If the hash is empty, the API silently creates a user without a password.',
    remedy:
      'Fill in the cell; for a user without a password, clear the algorithm too, and add --allow-passwordless.',
  },
  HASH_SHAPE: {
    message: 'the hash does not have the form of its algorithm',
    cause:
      'The API accepts any text as a hash, and the user could never log in. The hash may be cut short, contain an extra space, or belong to another algorithm.',
    remedy: 'Compare the cell with its source, and the algorithm with the one that the old system used.',
  },
  HASH_FOREIGN: {
    message: 'the hash is of a kind that the API does not accept',
    cause: 'The old system used another hash algorithm, and a hash cannot be converted without the password.',
    remedy: 'Let these users set a new password: --foreign-hashes passwordless creates them without one.',
  },
  HASH_LOCKED: {
    message: 'the hash is locked with ! or *, so this person could not log in to the old system',
    cause: 'Directories and Unix lock the account of a person by these signs before the hash.',
    remedy:
      'Leave such people out, in the file or by skip: with match: in a recipe; no option creates them without a password.',
  },
  KEY_MISSING: {
    message: 'the row has no HMAC key',
    cause: 'The algorithm hmacsha256_base64_key needs the key with which the old system made its hashes.',
    remedy: 'Fill in the cell: without the key no password matches.',
  },
  KEY_FORM: {
    message: 'the HMAC key is probably not written as the API reads it',
    cause: 'The API decodes the key if it is padded base64. Any other text is used as the key itself.',
    remedy:
      'Write the key in base64 with = padding, and nothing around it; if a known password shows that the key is correct (--canary), add --accept KEY_FORM.',
  },
  KEY_CHANGED: {
    message:
      'the row seems to be a user of this job whose user name, e-mail address, mobile number or external ID was changed',
    cause:
      'The user in this row, or with this external ID, was imported before the file was corrected, and no row has the old identifier any more. The import stops before anything is sent, because it would create the person a second time.',
    remedy:
      'Put back what the row had (users.csv of the job lists it), and change the user with tenant-users update; if it is somebody else, add --accept KEY_CHANGED.',
  },
  CONFLICT: {
    message: 'the row was sent before, and its user name, e-mail or mobile number belongs to another user',
    cause:
      'The row got no answer. A user with its user name, e-mail or mobile number was found, but is not the same person.',
    remedy: 'Find out which of the two is correct; fix the row or that user, then rerun with --only failed.',
  },
  NOT_DISABLED: {
    message: 'the user is enabled, although the file says that the person is disabled',
    cause: 'The user was there before the import, or the call that disables the new user failed.',
    remedy:
      'Rerun with --only failed to disable users that the import created. For users who existed before, check the old system, then disable them by the id in brackets: tenant-users disable ID.',
  },
  NOT_REACHED: {
    message: 'the row did not reach the service',
    cause:
      'In all attempts the service could not be reached or was too busy, it refused this row with tokens that it accepts for others, or the user of a plan could not be read. Nothing was written.',
    remedy: 'Rerun the same command when the service can be reached.',
  },
  NO_ANSWER: {
    message: 'the row was sent, but the answer was lost or does not say whether the user was created',
    cause:
      'The connection broke, or the service failed, while it had the row. A create is never repeated blindly, since it could create two users.',
    remedy: 'The user may or may not exist: look the user up before you send the row again.',
  },
  DEFECT: {
    message: 'an unexpected error while the row was sent',
    cause: 'The program failed at this row; this is a bug.',
    remedy: 'The user may or may not exist: look the user up before you send the row again.',
  },
} as const satisfies Record<string, IssueEntry>;

/** A code of the importer. */
export type IssueCode = keyof typeof issueTable;

/** What is wrong with a row, without its message: see `createIssue`. */
export interface IssueCause {
  code: IssueCode;
  /** Name of the column in the header; left out if the issue concerns the row as a whole. */
  column?: string;
  /** Added to the message; never a value of the row. */
  detail?: string;
  /** What to do in this case; replaces the remedy of the code. */
  remedy?: string | undefined;
}

/** An issue of a row of the source; it never holds the value. */
export interface Issue {
  code: IssueCode;
  column: string | undefined;
  message: string;
  hint: string;
}

/** Completes an issue with its message. */
export function createIssue({ code, column, detail, remedy: special }: IssueCause): Issue {
  const { message, remedy } = issueTable[code];
  const text = detail === undefined ? message : `${message} (${detail})`;
  return { code, column, message: text, hint: special ?? remedy };
}

/** Issues that are probably, but not surely, errors: the caller may accept them for a whole file. */
export const warningCodes = [
  'CHARACTERS_LOST',
  'CONTROL_CHARACTER',
  'DUPLICATE_EXTERNAL_ID',
  'ESCAPED',
  'FORMULA',
  'HASH_COST',
  'KEY_CHANGED',
  'KEY_FORM',
  'LEADING_ZEROS',
  'MOBILE',
  'MOJIBAKE',
  'NULL_MARKER',
  'OUTER_BLANK',
  'TOO_LONG',
  'TYPOGRAPHIC',
  'USER_NAME',
  'WHOLE_DECIMAL',
] as const satisfies readonly IssueCode[];

export type WarningCode = (typeof warningCodes)[number];
