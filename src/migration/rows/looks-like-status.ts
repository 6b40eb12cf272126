import { isNullMarker } from './validate-cell.ts';

const account =
  'user|usr|account|acct|log_?(in|on)|sign_?in|konto|benutzer|zugang|kennzeichen|kz|compte|utilisateur|cuenta|usuario|conta|utilizador|utente|用户|用戶|账号|帐号|帳號|账户|帐户|帳戶';
const other =
  'emp|employee|employment|member|membership|customer|person|staff|kunde|mitglied|mitarbeiter|client|membre|cliente|员工|員工|人员|人員|成员|成員|会员|會員|在职|在職';
const active =
  'activ(e|ated|o|a)|enabled?|aktiv(iert)?|actie?f|at?tiv(o|a)|aktywn(y|a|e)|актив(ен|на|ный)|habilitad(o|a)|frei_?geschaltet|启用|啟用|激活|可用|(可|允许|允許)(登录|登入)';
const stopped =
  'disabled?|deactivated|lock(ed(_?out)?)?|block(ed)?|suspend(ed)?|suspension|ban(ned)?|fr(ozen|eeze)|forbid(den)?|deleted?|(black|ban)_?list(ed)?|in(activ(e|o|a)|aktiv|actie?f|at?tiv(o|a))|(nie_?aktywn|zablokowan|usuni(ę|e)t)(y|a|e)|не_?актив(ен|на|ный)|gesperrt|deaktiviert|gel(ö|oe?)scht|(bloqu|d(é|e)sactiv|supprim)(é|e)e?|suspendue?|geblokkeerd|gedeactiveerd|verwijderd|(bloquead|desactivad|deshabilitad|eliminad|suspendid|suspens|inhabilitad|desativad|exclu(í|i)d|disattivat|disabilitat|bloccat|sospes|eliminat|cancellat)(o|a)|(заблокирован|удал(ё|е)н|отключ(ё|е)н)(а|ный)?|停用|停权|停權|禁用|删除|刪除|锁定|鎖定|冻结|凍結|封禁|拉黑|注销|註銷|禁止(登录|登入)';
/** States of something else than an account, perhaps: an address, an approval, a membership, a job. */
const confirmed = '(e_?mail_?)?confirmed|approved|valid|有效|在职|在職';
const gone =
  'removed|terminated|archived|expired|revoked|discarded|closed|resigned|dismissed|withdrawn|dormant|cancell?ed|deceased|spam|lock_?out|ausgeschieden|(r(é|e)sili|radi)(é|e)e?|archiv(é|ée|ee)|(cancelad|archivad|dad(o|a)_de_baj|desligad)(o|a)|baja|失效|离职|離職';
const states = `${active}|${stopped}|${confirmed}|${gone}`;
const times = '_?(at|on|date|dt|time(_?stamp)?|since)|_(am|seit|le|em|op)|时间|時間|日期';
const flag = '(_?(flag|flg|yn|ind(icator)?)|标志|標誌|标识|標識|标记|標記)?';
const is = '((is|ist|est(á|a)?|是否已?|已)_?)?';
const ofAnybody = `${is}((${account}|${other})_?)?${is}`;
const day = '(_?(at|on|date|time|day|utc))*';
const until = `_?(until|till|to|end|bis)${day}`;
const expiry = `expir(ed?|es|y|ation)${day}`;
const ends =
  'delet|deactivat|suspens|terminat|expirat|resignat|withdrawal|removal|dismissal|closure|closing|expiry|leav|exit|end';
const logIn = 'log_?(in|on)|sign_?in';
const [allow, deny] = ['allow|permit|can|may', 'prohibit|prevent|deny|forbid|disable|block|no'];
const statusWord = 'status(_?(cd|code|id|flag|flg|name))?|state|状态|狀態';

const named = (...names: string[]) => new RegExp(`^(?:${names.join('|')})$`, 'i');

/**
 * What names of columns say of a person; the first row with a name counts. The API creates every user enabled, so people who were
 * disabled in the old system could log in again. Each leads to a question, which proposes an answer by what its name says.
 */
const names = {
  /** A yes means that the person may log in, a no that perhaps not. */
  in: named(
    `${ofAnybody}(${active}|${confirmed})${flag}|use_?(flag|flg|yn|ind)|(account_?)?non_?locked|(account_?|credentials_?)?non_?expired`,
    `(is_?)?(${allow})_?(${logIn})|(${logIn})_?(allowed|permitted)`,
  ),
  /** Its words say who may not log in; what its numbers mean, only the old system knows. */
  status: named(
    `(inet_?|life_?cycle_?)?((${account})_?)?(${statusWord})|statut|estado|situa(ç|c)(ã|a)o|estatus|(é|e)tat`,
  ),
  /** The day on which a lock or a ban ends. */
  lockEnd: named(`((${account})_?)?(${stopped}|lock_?out)(${until}|_?${expiry})`),
  /** The day on which an account ends. */
  accountEnd: named(
    `((${account}|${other}|access|shadow|krb_?principal)_?)?(${expiry}|(${active}|${confirmed}|g(ü|ue?)ltig)${until})|end_?date|ablauf_?datum`,
    `(${account}|${other})?(有效|失效)(时间|時間|日期|期)(至|止)?|(有効|利用)期限|(${account})_bis|date_(de_)?fin_((d_)?acces|(d_)?accès)`,
  ),
  /** A yes or a time means that the person may not log in. */
  out: named(
    `((ds_pwp|ms_ds_user)_)(${account})_?(${stopped})${flag}|soft_?(${stopped})|(is_?)?del${flag}`,
    `(is_?)?(${deny})_?(${logIn})|(${logIn})_?(denied|prohibited)|block_?credentials?`,
    `${ofAnybody}(${stopped}|${gone})(${flag}|${times})`,
  ),
  other: named(
    `(${other})_?(${statusWord})|(${account}|${other})(情况|情況)|(${stopped}|lock_?out)_?(${active})|date_?(of_?)?(${states}|leaving|exit|((${ends})(ion)?))`,
    `${ofAnybody}(${states})(${times}|_?(till|until|end|${expiry}|state|status|reason|cd)|状态|狀態|原因)`,
    `(soft_?)?(${ends})(ion|e|ing)?_?(date|dt|time_?stamp)|(delet|deactivat|terminat)ion_?(at|on|time)|del_?dt|austritt(s_?datum)?`,
    '(状態|ステータス|停止|凍結|無効|有効|削除|退会|退職|解約|利用停止)(フラグ|区分|日時?)?',
    '(使用|审核|審核|启用|啟用)(状态|狀態)|(黑|白)名(单|單)|(到期|截止)(时间|時間|日期?)|有效期限',
    '(in)?(vigente?|liberad|autorizad)(o|a)?|(acc?ess?o|accès)_(liberado|autorizado|bloqueado|autoris(é|e)|bloqu(é|e))|habilit(é|e)e?|date_(de_)?sortie',
    'frei_?gegeben|zugelassen|record_?(status|state)|trashed(_?at)?|left_?(at|on|date)',
    'user_?account_?control|samba_?acct_?flags|required_?actions',
    `(is_?)?(${allow}|${deny})_?(access|credentials?)|(access|credentials?)_?(allowed|permitted|enabled|disabled|denied|blocked|prohibited|forbidden|locked)`,
    '(date|fecha|data)_(de_|di_)?(suppression|d(é|e)sactivation|r(é|e)siliation|radiation|blocage|baja|eliminaci(ó|o)n|bloqueo|cancelaci(ó|o)n|exclus(ã|a)o|desligamento|desativa(ç|c)(ã|a)o|bloqueio|disattivazione|cancellazione)',
  ),
};
type NameMeaning = keyof typeof names;

/** Names of what somebody has beside the account: who may log in does not depend on whether that is active. */
const besides =
  /(?:^|_)(?:\w*2fa|mfa|[th]?otp|two_factor|sms|newsletters?|notifications?|marketing|consents?|orders?|devices?|cookies?)_/i;

/** Objects and lists that a JSON file has only for people who may not log in, such as `locked: { since, by }`. */
const holdName =
  /^(is_)?(locked|lock(_?out)?|blocked|block|banned|ban|suspended|suspension|disabled|deactivated|deleted|terminated)$/i;

/** What values of a column such as `status` mean. */
const words = {
  out: named(
    `已?(${stopped})`,
    'removed|closed|revoked|no_?login|terminated|resigned|dismissed|archived|expired|left|retired|rejected|离职|已离职|失效|无效',
  ),
  in: named(`已?(${active})`, 'ok|normal|valid|current|正常|有效|在职'),
};
/** The way in which some systems write that an account cannot log in, between other words. */
const noLogin = /^no_?login$/i;

/** Most distinct words in a column of a status, a gender or an algorithm. */
export const mostWords = 16;

/** True for a name such as `status`, `is_active`, `isDisabled`, `del_flag`, `locked.since` or 状态. */
export function looksLikeStatus(name: string): boolean {
  return statusOf(name) !== undefined;
}

const addressParts = [
  /^(city|town)$/i,
  /^(zip|postal)(_?code)?$/i,
  /^(street|address)(_?address)?$/i,
  /^country/i,
];

/** The names that look like a status. Beside two more columns of an address, also among `others`, `state` is a part of it. */
export function statusColumns(names: readonly string[], others: readonly string[] = []): string[] {
  const all = [...names, ...others];
  const parts = addressParts.filter((part) => all.some((name) => part.test(nameWords(name))));
  return names.filter((name) => looksLikeStatus(name) && !(parts.length > 1 && /^state$/i.test(name.trim())));
}

/**
 * The part of a name that says that it is a status, without what follows, such as a remark in brackets or the names in an object
 * `locked`; `undefined` for any other name.
 */
export function statusOf(name: string): string | undefined {
  const parts = ownNames(withoutRemark(name));
  const meaning = meaningOfWords(parts.at(-1) ?? '');
  if (besides.test(nameWords(name)) && ['in', 'status'].includes(meaning ?? '')) return undefined;
  if (meaning !== undefined) return parts.join('.');
  const hold = parts.findIndex((part) => holdName.test(nameWords(part)));
  return hold === -1 ? undefined : parts.slice(0, hold + 1).join('.');
}

/** What the name of a column says of a person, by as much of its path as is known. */
export function meaningOfName(name: string): NameMeaning | undefined {
  const parts = ownNames(withoutRemark(name));
  const meanings = parts.map((_, from) => meaningOfWords(parts.slice(from).join('_')));
  return meanings.find((meaning) => meaning !== undefined);
}

function keyOf<Key extends string>(table: Record<Key, RegExp>, text: string): Key | undefined {
  return (Object.keys(table) as Key[]).find((key) => table[key].test(text));
}

function meaningOfWords(name: string): NameMeaning | undefined {
  return keyOf(names, nameWords(name));
}

/** What a word says by itself, whatever its column is. */
export function meaningOfWord(word: string): keyof typeof words | undefined {
  return keyOf(words, word);
}

/**
 * True if the distinct values of a column show that it is a status, although its name does not say so: most of them are words of
 * one, and some mean "may not log in".
 */
export function areStatusWords(name: string, values: readonly string[]): boolean {
  if (besides.test(nameWords(name))) return false;
  if (values.some((word) => noLogin.test(word))) return true;
  const meanings = values.flatMap((value) => meaningOfWord(value) ?? []);
  return 2 * meanings.length > values.length && meanings.some((meaning) => meaning !== 'in');
}

/** Creates an empty look at a column, which finds out whether its values are those of a status. */
export function createStatusLook(name: string) {
  const words = new Set<string>();
  return {
    /** Adds a value, without blanks at both ends. */
    add(value: string): void {
      if (value !== '' && words.size <= mostWords && !isNullMarker(value)) words.add(value);
    },
    isStatus: () => words.size <= mostWords && areStatusWords(name, [...words]),
  };
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
