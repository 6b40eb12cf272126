import { formatCount } from '../../text/format-count.ts';
import type { Notice } from '../report/notices.ts';
import type { Plan } from './plan-schemas.ts';

/** Returns what a person must know about the rows of a plan, beside its totals. */
export function noticesOfRows({ reasons, updates_in_part: inPart = 0 }: Plan): Notice[] {
  const { NO_KEY: nameless = 0 } = reasons;
  const texts = [
    nameless > 0 &&
      `${formatCount(nameless, 'row')} ${nameless === 1 ? 'has' : 'have'} no identifier, so it is not known whether the users exist: every plan of the file creates them again. Give the rows a user name, an e-mail address, a mobile number or an external ID.`,
    inPart > 0 &&
      `${formatCount(inPart, 'user')} will be updated only in part: the API cannot change the hash or the external ID of an existing user. plan show --action cannot lists them, too.`,
  ];
  return texts.flatMap((text) => (text === false ? [] : [{ text, isWarning: true }]));
}

/** True if every row and every user has an action, and no update leaves a field as it is. */
export function isDecided({ totals, updates_in_part: inPart = 0 }: Plan): boolean {
  return totals.conflict + totals.cannot + totals.invalid + inPart === 0;
}
