import { containsChoices } from './contains-choices.ts';
import { nameReadings } from './name-readings.ts';

/** What is known of the user whose password it is. */
export interface PasswordOwner {
  user_name?: string | undefined;
  name?: string | undefined;
  mobile?: string | undefined;
  email?: string | undefined;
}

/** Shorter texts are in every password: they are not looked for (decision 37). */
const shortest = 3;

/**
 * Does a password contain the user name, the mobile number (with or without its area code), the part of the
 * e-mail address before the `@`, or the name: in Pinyin without tones or by its initials, in every reading, or
 * as it is written where it is Latin? Letter case makes no difference (decision 37).
 */
export async function containsUser(
  password: string,
  owner: PasswordOwner,
  defaultAreaCode: string,
): Promise<boolean> {
  const text = password.toLowerCase();
  const needles = [
    owner.user_name,
    owner.email?.split('@')[0],
    ...(owner.mobile === undefined ? [] : mobileForms(owner.mobile, defaultAreaCode)),
  ];
  const contains = (needle = '') => needle.length >= shortest && text.includes(needle.toLowerCase());
  if (needles.some(contains)) return true;
  if (owner.name === undefined) return false;
  const readings = await nameReadings(owner.name);
  return readings.some((choices) => containsChoices(text, choices, shortest));
}

function mobileForms(mobile: string, defaultAreaCode: string): string[] {
  const [area, number] = mobile.includes('-')
    ? mobile.replace('+', '').split('-')
    : [defaultAreaCode, mobile];
  return [`${number}`, `${area}${number}`];
}
