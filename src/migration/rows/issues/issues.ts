import { reasons } from '../../actions/reasons.ts';

/** What one of the importer's codes means, and what to do about it. */
export interface IssueEntry {
  message: string;
  /** One sentence on how such rows arise. */
  cause: string;
  /** One sentence on what to do next: the hint in `failures.csv`. */
  remedy: string;
}

const issue = (message: string, cause: string, remedy: string) =>
  ({ message, cause, remedy, isWarning: false }) as const;
/** Probably, but not surely, an error: the caller may accept it for a whole file. */
const warning = (message: string, cause: string, remedy: string) =>
  ({ message, cause, remedy, isWarning: true }) as const;

/**
 * The importer's own codes. Those from `CONFLICT` on say what happened to a row that was sent, or was about to be; all others are
 * issues of a row that was not sent.
 */
export const issueTable = {
  CELLS: issue(
    'the row has more or fewer cells than the header',
    'A comma is missing or extra, so values may be in the wrong columns.',
    'Look for a missing or extra comma, or an unquoted value that contains one.',
  ),
  HEADER_REPEATED: issue(
    'the row repeats the header',
    'Each file of a joined export brings its own header.',
    'Remove the line.',
  ),
  ROW_EMPTY: issue(
    'the row has nothing about a person in the columns that are read',
    'Spreadsheets leave empty lines after rows are deleted; what is the same for all rows, or only says how to read a hash, makes no user.',
    'Remove the line, or read the columns that have its values.',
  ),
  CONTROL_CHARACTER: warning(
    'the value contains a line break or another control character',
    'A quoted value spans several lines, or contains a tab or an invisible character; by default the API accepts line breaks and tabs in mailing_address only.',
    'Replace it with a space; only line breaks and tabs in names and texts such as addresses are sent as they are with --accept CONTROL_CHARACTER.',
  ),
  // Damage by spreadsheets, word processors, conversions and joined exports.
  BYTE_ORDER_MARK: issue(
    'the file has a byte order mark (U+FEFF) in the middle',
    'Each file of a joined export brings its own mark, and most editors do not show it.',
    'Remove the mark.',
  ),
  ENCODING: issue(
    'the value is not in the encoding of the file',
    'Lines of another system, in another encoding, were added to the export, or a directory holds such names.',
    'Convert these lines alone to the encoding of the other lines, for example with iconv -f WINDOWS-1252 -t UTF-8 or iconv -f UTF-8 -t GB18030, or correct the values at the source and export again; a spreadsheet would change numbers too. If they are in the encoding of the other lines, the file is in another one than --encoding names, or convert it to UTF-8 as a whole.',
  ),
  CELL_TOO_LARGE: issue(
    'the value has more than 5 million characters',
    'A quote is closed far below the value it belongs to, or an image is larger than any tenant accepts.',
    'Look for an unclosed quote, or make the image smaller.',
  ),
  CHARACTERS_LOST: warning(
    'characters were lost in an earlier conversion',
    'The target encoding did not have the character, so a program wrote a question mark or U+FFFD instead.',
    'Export the file again as UTF-8; if the values are correct, add --accept CHARACTERS_LOST.',
  ),
  MOJIBAKE: warning(
    'the text seems to have been read with the wrong encoding, Windows-1252',
    'A program opened the file, or a database keeps its texts, with the wrong encoding.',
    'Export the file again in the encoding that the old system really uses; if the values are correct, add --accept MOJIBAKE.',
  ),
  ESCAPED: warning(
    "the text contains HTML, JSON, PHP or URL escapes, such as &amp; \\u00e9 \\' %40, or there is an apostrophe before an identifier, or before = + - @ at the beginning of a text",
    'The old system stores texts in this form, or the export wrote them so, with an apostrophe against formulas in spreadsheets; users would see it.',
    'Export the text itself, or remove what was added in a recipe (strip: ["\'"]); if the values are correct, add --accept ESCAPED.',
  ),
  FORMULA: warning(
    'the value looks like a spreadsheet formula or error',
    'Spreadsheets evaluate cells that begin with =, + or @; #REF!, Err:502 and the like are their errors.',
    'Export values instead of formulas; if the values are correct, add --accept FORMULA.',
  ),
  NULL_MARKER: warning(
    'the value is a word for "no value", such as NULL, \\N, None or N/A',
    'Databases and programs write such a word into an export where a value is missing.',
    'Leave the cell empty; if all such values are correct, add --accept NULL_MARKER.',
  ),
  SCIENTIFIC: issue(
    'the value is a number in scientific notation, as spreadsheets write it',
    'A spreadsheet treated an identifier as a quantity and rounded it: digits are lost.',
    'Export the column again as text, and do not open the export in a spreadsheet.',
  ),
  WHOLE_DECIMAL: warning(
    'the value is a whole number with “.0”, as programs write quantities',
    'A program read an identifier as a quantity: “.0” was added, and leading zeros may be lost.',
    'Export the column again as text; if the values are correct, add --accept WHOLE_DECIMAL.',
  ),
  TYPOGRAPHIC: warning(
    'the value contains a typographic quote, dash or space, or an invisible character',
    'Word processors and web pages replace plain characters with these, and users cannot type them.',
    'Use the plain character; if the values are correct, add --accept TYPOGRAPHIC.',
  ),
  OUTER_BLANK: warning(
    'the value begins or ends with a space',
    'Exports of fixed-width columns are padded with spaces, and values are never trimmed.',
    'Remove the space in the source, or with trim: true in a recipe; if only texts such as addresses have it, --accept OUTER_BLANK sends them as they are.',
  ),
  TOO_LONG: warning(
    'the value has more characters than tenants accept by default',
    'The value may be in the wrong column, or the tenant may accept longer values.',
    'Shorten the value; if the tenant accepts longer ones, add --accept TOO_LONG.',
  ),
  USER_NAME: warning(
    'the user name contains a space',
    'The column holds full names, or the old system allowed spaces in user names.',
    'Correct the name; if the tenant accepts such names, add --accept USER_NAME.',
  ),
  MOBILE: warning(
    'the mobile number is not of the form <area code>-<number>',
    'The number has spaces, brackets or letters, or no hyphen after its area code.',
    'Use digits, as in 86-13800000000; if the tenant accepts other forms, add --accept MOBILE.',
  ),
  MOBILE_DECIMAL: issue(
    'the mobile number has decimal places, as spreadsheets write numbers',
    'A spreadsheet treated it as a quantity: leading zeros and digits may be lost.',
    'Export the number again as text.',
  ),
  DUPLICATE_USER_NAME: issue(
    'another row of the file has this user name',
    'User names are unique regardless of case. The first of the rows is kept; people who are not disabled come before those who are.',
    'Keep one of the two rows, or give the other another user name. The other row may have it as e-mail address or mobile number, with which people log in too. 86-1… and 1… count as one user name in a file with mobile numbers, though the API takes both.',
  ),
  DUPLICATE_EMAIL: issue(
    'another row of the file has this e-mail address',
    'E-mail addresses are unique regardless of case. The first of the rows is kept; people who are not disabled come before those who are.',
    'Keep one of the two rows, or leave the address of the other empty. The other row may have it as user name.',
  ),
  DUPLICATE_MOBILE: issue(
    'another row of the file has this mobile number',
    'Mobile numbers are unique; +86-1…, 86-1… and 1… are the same number. The first of the rows is kept; people who are not disabled come before those who are.',
    'Keep one of the two rows, or leave the number of the other empty. The other row may have it as user name. A number without an area code counts as one of 86: write the code if it has another.',
  ),
  DUPLICATE_EXTERNAL_ID: warning(
    'another row of the file has this external ID',
    'A look-up by this id finds one of the users only, and nobody can change the id later; a spreadsheet may have rounded several ids to one.',
    'Compare the ids with their source; if several users share one on purpose, add --accept DUPLICATE_EXTERNAL_ID.',
  ),
  LEADING_ZEROS: warning(
    'the number is shorter than the others of its column',
    'A spreadsheet treated an identifier as a quantity, and dropped its leading zeros.',
    'Export the column again as text; if the shorter numbers are correct, add --accept LEADING_ZEROS.',
  ),
  HASH_TRUNCATED: issue(
    'the hash is cut short',
    'A column of the export was too narrow for the hash, and no password matches what is left.',
    'Export the hash again with columns that are wide enough.',
  ),
  HASH_COST: warning(
    'the cost of the bcrypt hash is higher than tenants accept',
    'Each step of the cost doubles the work of a login: above 14 a login takes seconds, and a tenant rejects the hash unless it is set up for more; above 16 it is never compared.',
    'Let these users set a new password; if the tenant is known to accept such hashes, add --accept HASH_COST.',
  ),
  WRAPPER: issue(
    'the hash has the prefix of another scheme',
    'Old systems write the scheme in braces before the hash. It is removed only if it matches the algorithm.',
    'Remove the prefix if a hash of this algorithm follows. Otherwise the users need a new password: the API accepts only md5, bcrypt, md5_sha256 and hmacsha256_base64_key.',
  ),
  VALUE_UNKNOWN: issue(
    'nothing says what this value means',
    'The recipe has no entry for what the old system wrote here; or the column disabled of a comparison is neither true nor false.',
    'Add the value to the recipe: under values: of a field, which otherwise: completes, or under in:, known: or not_in: of a condition. In the column disabled of a comparison, write true or false.',
  ),
  PHONE_UNREADABLE: issue(
    'the telephone number is not valid in its country',
    'Digits are missing or extra, or the number belongs to another country and has no country code.',
    'Correct the number, or leave it out with otherwise: "" in the recipe.',
  ),
  DATE_UNREADABLE: issue(
    'the date matches none of the formats in the recipe',
    'The old system wrote dates in several forms, or two forms give different days.',
    'Add the form to date: in the recipe, or leave such dates out with otherwise: "".',
  ),
  NUMBER_ROUNDED: issue(
    'the number ends in zeros after 15 digits, as a spreadsheet rounds it',
    'Spreadsheets keep 15 digits of a number and write zeros for the others.',
    'Export the column again as text, and do not open the export in a spreadsheet.',
  ),
  REPLACED_TOO_LONG: issue(
    'the replacements of the recipe would make the value many times as long',
    'The replacements under replace: follow one another: each is applied to what those before it have made.',
    'Correct replace: in the recipe, so that no replacement finds again what was put in.',
  ),
  EMAIL: issue(
    'the e-mail address is not of the form name@domain',
    'The address is cut short, contains a space, or another value is in its column.',
    'Correct the address or leave the cell empty.',
  ),
  MOBILE_SCIENTIFIC: issue(
    'the mobile number is in scientific notation, as spreadsheets write it',
    'A spreadsheet treated it as a quantity and rounded it: digits are lost.',
    'Export the number again as text.',
  ),
  GENDER: issue(
    'the gender is not one of unknow, male and female',
    'The API accepts these three values; unknow is its spelling.',
    'Use unknow, male or female.',
  ),
  BIRTHDAY: issue(
    'the birthday is not a date of the form yyyy-mm-dd',
    'The date has another format, or the month has no such day.',
    'Use yyyy-mm-dd.',
  ),
  MUST_MODIFY: issue(
    'the value is neither true nor false',
    'The column pwd_must_modify says whether the password must be changed at the next login.',
    'Use true or false in lower case.',
  ),
  IMAGE: issue(
    'the image is neither a URL nor image data',
    'The column head_img accepts the URL of an image or the image itself; a file path is neither.',
    'Use http://…, https://… or data:image/<type>;base64,…',
  ),
  PASSWORD_MISSING: issue(
    'the row has neither a hash nor an algorithm, so the user would have no password',
    'The user had no password in the old system, or the export left it out.',
    'Add the hash and its algorithm, or create these users without a password: --allow-passwordless.',
  ),
  ALGORITHM_MISSING: issue(
    'the row has no algorithm, so the user would have no password',
    'If the algorithm is empty, the API silently creates a user without a password.',
    'Fill in the cell, name the algorithm with --algorithm, or have it found by the form of each hash: --algorithm infer.',
  ),
  ALGORITHM_UNKNOWN: issue(
    'the algorithm is not one that the API accepts',
    'The API accepts four algorithms; case does not matter here.',
    'Use md5, bcrypt, md5_sha256 or hmacsha256_base64_key; tenant-users hash identify shows which ones a hash can be.',
  ),
  HASH_MISSING: issue(
    'the row has no hash, so the user would have no password',
    'If the hash is empty, the API silently creates a user without a password.',
    'Fill in the cell; for a user without a password, clear the algorithm too, and add --allow-passwordless.',
  ),
  HASH_SHAPE: issue(
    'the hash does not have the form of its algorithm',
    'The API accepts any text as a hash, and the user could never log in. The hash may be cut short, contain an extra space, or belong to another algorithm.',
    'Compare the cell with its source, and the algorithm with the one that the old system used.',
  ),
  HASH_FOREIGN: issue(
    'the hash is of a kind that the API does not accept',
    'The old system used another hash algorithm, and a hash cannot be converted without the password.',
    'Let these users set a new password: --foreign-hashes passwordless creates them without one.',
  ),
  HASH_LOCKED: issue(
    'the hash is locked with ! or *, so this person could not log in to the old system',
    'Directories and Unix lock the account of a person by these signs before the hash.',
    'Leave such people out, in the file or by skip: with match: in a recipe; no option creates them without a password.',
  ),
  KEY_MISSING: issue(
    'the row has no HMAC key',
    'The algorithm hmacsha256_base64_key needs the key with which the old system made its hashes.',
    'Fill in the cell: without the key no password matches.',
  ),
  KEY_FORM: warning(
    'the HMAC key is probably not written as the API reads it',
    'The API decodes the key if it is padded base64. Any other text is used as the key itself.',
    'Write the key in base64 with = padding, and nothing around it; if a known password shows that the key is correct (--canary), add --accept KEY_FORM.',
  ),
  KEY_CHANGED: warning(
    reasons.KEY_CHANGED.text,
    'The user in this row, or with this external ID, was imported from the earlier file, and no row has the old identifier any more. To create nobody a second time, the import of a corrected file stops before anything is sent, and a plan with --since leaves the row out (conflict).',
    reasons.KEY_CHANGED.remedy,
  ),
  CONFLICT: issue(
    'the row was sent before, and its user name, e-mail or mobile number belongs to another user',
    'The row got no answer. A user with its user name, e-mail or mobile number was found, but is not the same person.',
    'Find out which of the two is correct; fix the row or that user, then rerun with --only failed.',
  ),
  NOT_DISABLED: issue(
    'the user is enabled, although the file says that the person is disabled',
    'The user was there before the import, or the call that disables the new user failed.',
    'Rerun with --only failed to disable users that the import created. For users who existed before, check the old system, then disable them by the id in brackets: tenant-users disable ID; --only failed then counts those as existing who have the identifiers of their rows.',
  ),
  NOT_REACHED: issue(
    'the row did not reach the service',
    'In all attempts the service could not be reached or was too busy, it refused this row with tokens that it accepts for others, or a user who was there before could not be read. Nothing was written.',
    'Rerun the same command when the service can be reached.',
  ),
  NO_ANSWER: issue(
    'the row was sent, but the answer was lost or does not say whether the user was created',
    'The connection broke, or the service failed, while it had the row. A create is never repeated blindly, since it could create two users.',
    'The user may or may not exist: look the user up before you send the row again.',
  ),
  DEFECT: issue(
    'an unexpected error while the row was sent',
    'The program failed at this row; this is a bug.',
    'The user may or may not exist: look the user up before you send the row again.',
  ),
} as const satisfies Record<string, IssueEntry & { isWarning: boolean }>;

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
export type Issue = ReturnType<typeof createIssue>;

/** Completes an issue with its message. */
export function createIssue({ code, column, detail, remedy: special }: IssueCause) {
  const { message, remedy } = issueTable[code];
  const text = detail === undefined ? message : `${message} (${detail})`;
  return { code, column, message: text, hint: special ?? remedy };
}

/** Describes the issues of a row in one message, with what to do about them. */
export function describeIssues(issues: readonly Issue[]): { message: string; hint: string } {
  const messages = issues.map(({ column, message }) =>
    column === undefined ? message : `${column}: ${message}`,
  );
  return { message: messages.join('; '), hint: [...new Set(issues.map(({ hint }) => hint))].join(' ') };
}

export type WarningCode = {
  [Code in IssueCode]: (typeof issueTable)[Code]['isWarning'] extends true ? Code : never;
}[IssueCode];

/** Issues that are probably, but not surely, errors: the caller may accept them for a whole file. */
export const warningCodes = (Object.keys(issueTable) as IssueCode[])
  .filter((code): code is WarningCode => issueTable[code].isWarning)
  .sort();
