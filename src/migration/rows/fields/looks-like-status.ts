const account = 'user|usr|account|acct|log_?(in|on)|sign_?in';
const other = 'emp|employee|employment|member|membership|customer|person|staff|client';
const active = 'activ(e|ated)|enabled?';
const stopped =
  'disabled?|deactivated|lock(ed(_?out)?)?|block(ed)?|suspend(ed)?|suspension|ban(ned)?|fr(ozen|eeze)|forbid(den)?|deleted?|(black|ban)_?list(ed)?|inactive';
/** States of something else than an account, perhaps: an address, an approval, a membership, a job. */
const confirmed = '(e_?mail_?)?confirmed|approved|valid';
const gone =
  'removed|terminated|archived|expired|revoked|discarded|closed|resigned|dismissed|withdrawn|dormant|cancell?ed|deceased|spam|trashed|lock_?out';
const at = '_?(at|on|date|time|day|utc)';
const day = `(${at})*`;
const times = `((${at})+|_?(dt|time_?stamp|since))`;
const flag = '(_?(flag|flg|yn|ind(icator)?))?';
const is = '((is|has)_?)?';
const ofAnybody = `${is}((${account}|${other})_?)?${is}`;
const until = `_?(until|till|to|end)${day}`;
const expiry = `expir(ed?|es|y|ation)${day}`;
const logIn = 'log_?(in|on)|sign_?in';
const [allow, deny] = ['allow|permit|can|may', 'prohibit|prevent|deny|forbid|disable|block|no'];

const named = (...names: string[]) => new RegExp(`^(?:${names.join('|')})$`, 'i');

/**
 * What names of columns say of a person; the first row with a name counts. The API creates every user enabled, so people who were
 * disabled in the old system could log in again. Each leads to a question, which proposes an answer by what its name says. A name in
 * none of these rows, such as one in another language, is asked about if its values may say so.
 */
const names = {
  /** A yes means that the person may log in, a no that perhaps not. */
  in: named(
    `${ofAnybody}(${active}|${confirmed})${flag}|use_?(flag|flg|yn|ind)|(account_?)?non_?locked|(account_?|credentials_?)?non_?expired`,
    `(is_?)?(${allow})_?(${logIn})|(${logIn})_?(allowed|permitted)`,
  ),
  /** Its words say who may not log in; what its numbers mean, only the old system knows. */
  status: named(
    `(inet_?|life_?cycle_?)?((${account})_?)?status(_?(cd|code|id|flag|flg|name))?|((${account}|life_?cycle)_?)state`,
    'user_?account_?control|samba_?acct_?flags|required_?actions',
  ),
  /** The day on which a lock or a ban ends. */
  lockEnd: named(`((${account})_?)?(${stopped}|lock_?out)(${until}|_?${expiry})`),
  /** The day on which an account ends. */
  accountEnd: named(
    `((${account}|${other}|access|shadow|krb_?principal)_?)?(${expiry}|(${active}|${confirmed})${until})|end_?(date|time)`,
    `(soft_?)?((delet|deactivat|terminat)ion|exit|leaving)${times}`,
  ),
  /** A yes or a time means that the person may not log in. */
  out: named(
    `((ds_pwp|ms_ds_user)_)(${account})_?(${stopped})${flag}|soft_?(${stopped})|(is_?)?del${flag}|(ns_)?account_?lock`,
    `(is_?)?(${deny})_?(${logIn})|(${logIn})_?(denied|prohibited)|block_?credentials?|pwd_?account_?locked_?time`,
    `(is_?)?(access|credentials?)_?(disabled|denied|blocked|prohibited|forbidden|locked)|left_?(at|on|date)|del_?dt`,
    `${ofAnybody}(${stopped}|${gone})(${flag}|${times})`,
  ),
};

/** Names of what somebody has beside the account: who may log in does not depend on whether that is active. */
const besides =
  /(?:^|_)(?:\w*2fa|mfa|[th]?otp|two_factor|sms|newsletters?|notifications?|marketing|consents?|orders?|devices?|cookies?)_/i;

/** What values of a column such as `status` mean. */
const words = {
  out: named(
    `${stopped}|removed|closed|revoked|no_?login|terminated|resigned|dismissed|archived|expired|left|retired|rejected`,
  ),
  in: named(`${active}|ok|normal|valid|current`),
};

/** True for a name such as `status`, `is_active`, `isDisabled`, `del_flag` or `locked.since`. */
export function looksLikeStatus(name: string): boolean {
  return statusOf(name) !== undefined;
}

/** Of columns that nothing reads, those that may say who may not log in, by their names or by their values. */
export function unreadStatuses({
  ignored_columns: ignored,
  status_columns: byValues = [],
}: {
  ignored_columns: readonly string[];
  status_columns?: readonly string[];
}): string[] {
  return [...new Set([...ignored.filter(looksLikeStatus), ...byValues])];
}

/** True for the name of what somebody has beside the account. */
export const isBeside = (name: string) => besides.test(nameWords(name));

/** A name that looks like a status, without what follows, such as a remark in brackets; `undefined` for any other name. */
export function statusOf(name: string): string | undefined {
  const meaning = meaningOfName(name);
  const isOther = meaning === undefined || (isBeside(name) && ['in', 'status'].includes(meaning));
  return isOther ? undefined : ownNames(withoutRemark(name)).join('.');
}

/** What the name of a column says of a person, by as much of its path as is known. */
export function meaningOfName(name: string): keyof typeof names | undefined {
  const parts = ownNames(withoutRemark(name));
  const meanings = parts.map((_, from) => keyOf(names, nameWords(parts.slice(from).join('_'))));
  return meanings.find((meaning) => meaning !== undefined);
}

function keyOf<Key extends string>(table: Record<Key, RegExp>, text: string): Key | undefined {
  return (Object.keys(table) as Key[]).find((key) => table[key].test(text));
}

/** What a word says by itself, whatever its column is. */
export function meaningOfWord(word: string): keyof typeof words | undefined {
  return keyOf(words, word);
}

/** What says nothing at the end of a JSON path: numbers of a list, and types of MongoDB (`$date`) and of DynamoDB (`S`). */
const typeNames = /(?:\.(?:\d+|\$\w+|S|N|B|BOOL|NULL|SS|NS|BS|L|M))+$/;

/** The parts of a JSON path, without types and numbers at its end. */
export function ownNames(path: string): string[] {
  return path.replace(typeNames, '').split('.');
}

/** The words of a name, joined by `_`, without marks and a remark at its end: `Status [READ ONLY]`, `Active?`. */
export function nameWords(name: string): string {
  return withoutRemark(name)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replace(/[\s.-]+/g, '_');
}

function withoutRemark(name: string): string {
  return name.trim().replace(/(?:\s*(?:\[[^\]]*\]|\([^)]*\)|[?*:]))+$/, '');
}
