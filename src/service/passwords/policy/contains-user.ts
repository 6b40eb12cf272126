import { foldCase, parseMobile } from '../../../contract/normal-forms.ts';
import { nameReadings, withoutSeparators } from './name-readings.ts';

/** The attributes of a user that a password must not contain. */
export interface PasswordOwner {
  user_name?: string | undefined;
  name?: string | undefined;
  mobile?: string | undefined;
  email?: string | undefined;
}

/** Shortest text that is searched for, not counting separators; shorter ones occur in too many passwords (decision 37). */
const shortest = 3;

/**
 * True if a password contains the user name, the mobile number (with or without its area code), the part of the e-mail address
 * before the `@`, or the name: in Pinyin without tones or by its initials, in every reading, or as written if it is Latin. Compares
 * the forms in which a login compares names, so letter case makes no difference (decision 37).
 */
export async function containsUser(
  password: string,
  owner: PasswordOwner,
  defaultAreaCode: string,
): Promise<boolean> {
  const text = foldCase(password);
  const needles = [
    owner.user_name,
    owner.email?.split('@')[0],
    ...(owner.mobile === undefined ? [] : mobileForms(owner.mobile, defaultAreaCode)),
  ];
  const contains = (needle: string) => needle.length >= shortest && text.includes(needle);
  if (needles.map((needle = '') => foldCase(needle)).some(contains)) return true;
  if (owner.name === undefined) return false;
  const readings = await nameReadings(owner.name);
  return readings.some((choices) => containsChoices(text, choices));
}

function mobileForms(mobile: string, defaultAreaCode: string): string[] {
  const { area = defaultAreaCode, number = mobile } = parseMobile(mobile) ?? {};
  return [number, `${area}${number}`];
}

/**
 * True if a text contains one choice of the first position, then one of the second, and so on, at least `shortest` characters in
 * total. Searches all combinations at once, position by position, because there may be very many of them. Separators do not count:
 * otherwise three of them would be any name of three letters that have no reading.
 */
function containsChoices(text: string, choices: readonly (readonly string[])[]): boolean {
  for (let start = 0; start + shortest <= text.length; start += 1) {
    let ends = new Set([start]);
    for (const position of choices) {
      ends = new Set([...ends].flatMap((end) => continuations(text, position, end)));
      if (ends.size === 0) break;
    }
    if ([...ends].some((end) => withoutSeparators(text.slice(start, end)).length >= shortest)) return true;
  }
  return false;
}

function continuations(text: string, position: readonly string[], end: number): number[] {
  return position.filter((choice) => text.startsWith(choice, end)).map((choice) => end + choice.length);
}
