import { defaultAreaCode } from '../../contract/normal-forms.ts';
import {
  listOf,
  note,
  object,
  oneOf,
  or,
  type Reader,
  record,
  section,
  text,
  truth,
  whole,
  within,
} from '../json/readers.ts';
import { lengthsUpTo, readAttributes, readExtension, readPattern } from './attribute-readers.ts';
import type { TenantDocument } from './document.ts';

const areaCodeShape = /^[1-9]\d{0,3}$/;

const builtInAreaCodes = {
  [defaultAreaCode]: '^1[3-9]\\d{9}$',
  '852': '^[5-9]\\d{7}$',
  '853': '^6\\d{7}$',
  '886': '^9\\d{8}$',
  '1': '^[2-9]\\d{9}$',
  '44': '^7\\d{9}$',
  '65': '^[89]\\d{7}$',
  '81': '^[789]0\\d{8}$',
};

const mobile = object<TenantDocument['mobile']>(
  {
    default_area_code: or(
      text((value) => areaCodeShape.test(value), 'an area code of 1 to 4 digits, in quotes'),
      defaultAreaCode,
    ),
    area_codes: or(
      record(readPattern, (code) =>
        areaCodeShape.test(code) ? undefined : 'an area code has 1 to 4 digits and does not begin with 0',
      ),
      builtInAreaCodes,
    ),
  },
  {
    check({ default_area_code: code, area_codes }, place) {
      if (!Object.hasOwn(area_codes, code))
        note(within(place, 'default_area_code'), `${code} is not among area_codes`);
    },
  },
);

const password = object<TenantDocument['password']>(
  {
    required: or(truth, false),
    min_length: or(whole(1, 128), 8),
    max_length: or(whole(1, 1024), 18),
    min_character_classes: or(whole(1, 4), 3),
    max_repeats: or(whole(1, 1024), 3),
    forbid_reversed_user_name: or(truth, true),
    forbid_user_information: or(truth, true),
    forbid_weak: or(truth, true),
    history: or(whole(0, 24), 5),
  },
  { check: lengthsUpTo(1024) },
);

const month = 31 * 24 * 3600;

/** Reads a parsed tenant definition; the one table of its keys, their shapes and their defaults. */
export const readDocument: Reader<TenantDocument> = object<TenantDocument>({
  tenant_id: or(
    text(
      (value) => /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(value),
      '1 to 64 letters, digits, "-" and "_", beginning with a letter or digit',
    ),
    'default',
  ),
  time_zone: or(text(isTimeZone, 'an IANA time zone such as Asia/Shanghai'), 'UTC'),
  attributes: section(readAttributes),
  extension: or(readExtension, {}),
  mobile: section(mobile),
  password: section(password),
  token: section(object({ expires_in: or(whole(1, month), 1800) })),
  sso: section(
    object({
      ticket_expires_in: or(whole(1, 86_400), 300),
      fields: or(listOf(oneOf(['id', 'userName', 'name', 'mobile', 'email'])), [
        'id',
        'userName',
        'name',
        'mobile',
        'email',
      ]),
    }),
  ),
  login: section(object({ max_attempts: or(whole(1, 1000), 5), lock_seconds: or(whole(1, month), 300) })),
});

function isTimeZone(name: string): boolean {
  // The usual one: the data of the others takes 15 ms to load.
  if (name === 'UTC') return true;
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}
